/** Converts workflow JSON, as the editor exports it, to the object that the engine runs. */
import type {
	IConnections,
	IDataObject,
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	IPinData,
	IWorkflowSettings,
	Workflow,
} from 'n8n-workflow';
import { n8n } from './core.ts';
import type { NodeTypes } from './types.ts';

/** A node of a workflow; members that the editor adds are optional. */
export type NodeJson = Pick<INode, 'name' | 'type'> &
	Partial<Omit<INode, 'parameters'>> & { parameters?: object };

export interface WorkflowJson {
	id?: string;
	name?: string;
	nodes: NodeJson[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	pinData?: IPinData;
	/** All static data of the workflow, keyed `global` and `node:<name>`. */
	staticData?: IDataObject;
}

/** A workflow of nodes in a row, each connected to the next through its first output. */
export function chain(...nodes: NodeJson[]): WorkflowJson {
	const connections: IConnections = {};
	nodes.slice(1).forEach((node, index) => connect(connections, nodes[index]!.name, 0, node.name));
	return { nodes, connections };
}

/** Adds a connection from an output of one node to the first input of another. */
export function connect(connections: IConnections, from: string, output: number, to: string): void {
	const outputs = ((connections[from] ??= { main: [] }).main ??= []);
	while (outputs.length <= output) outputs.push([]);
	(outputs[output] ??= []).push({ node: to, type: 'main', index: 0 });
}

/**
 * Adds the editor's defaults to a node.
 *
 * @throws UserError if the node type does not have a parameter, which n8n would silently ignore
 */
function completeNode(node: NodeJson, nodeTypes: NodeTypes): INode {
	const { description } = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const versions = [description.version].flat();
	const typeVersion = node.typeVersion ?? description.defaultVersion ?? versions.at(-1)!;
	if (!versions.includes(typeVersion)) {
		throw new n8n.UserError(
			`Node "${node.name}": ${node.type} has no version ${typeVersion} here, only ${versions.join(', ')}`,
		);
	}
	const unknown = unknownParameter(description.properties, node.parameters);
	if (unknown) throw new n8n.UserError(`Node "${node.name}": ${node.type} has no parameter "${unknown}"`);
	return {
		id: node.name,
		position: [0, 0],
		...node,
		typeVersion,
		parameters: structuredClone(node.parameters ?? {}) as INodeParameters,
	};
}

/** The first parameter, including those in collections, that is not one of `properties`. */
function unknownParameter(properties: INodeProperties[], values: object = {}): string | undefined {
	for (const [name, value] of Object.entries(values)) {
		const named = properties.filter((property) => property.name === name);
		if (named.length === 0) return name;
		// Several parameters may share a name; the value must match one of them.
		const unknown = named.map((property) => unknownField(property, value));
		if (unknown.every((field) => field !== undefined)) return `${name}.${unknown[0]}`;
	}
	return undefined;
}

function unknownField({ type, options = [] }: INodeProperties, value: unknown): string | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	if (type === 'collection') return unknownParameter(options as INodeProperties[], value);
	if (type !== 'fixedCollection') return undefined;
	const groups = options as INodePropertyCollection[];
	for (const [name, rows] of Object.entries(value)) {
		const group = groups.find((candidate) => candidate.name === name);
		if (!group) return name;
		for (const row of [rows].flat() as object[]) {
			const unknown = unknownParameter(group.values, row);
			if (unknown) return `${name}.${unknown}`;
		}
	}
	return undefined;
}

export function buildWorkflow(json: WorkflowJson, nodeTypes: NodeTypes, active: boolean): Workflow {
	return new n8n.Workflow({
		id: json.id ?? 'workflow',
		name: json.name ?? 'Workflow',
		nodes: json.nodes.map((node) => completeNode(node, nodeTypes)),
		connections: json.connections,
		active,
		nodeTypes,
		settings: { executionOrder: 'v1', ...json.settings },
		// The database stores static data as JSON.
		staticData: JSON.parse(JSON.stringify(json.staticData ?? {})) as IDataObject,
	});
}
