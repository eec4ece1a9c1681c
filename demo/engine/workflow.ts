/** Workflow JSON, as the editor exports it, made into the object the engine runs. */
import type {
	IConnections,
	IDataObject,
	INode,
	INodeParameters,
	IPinData,
	IWorkflowSettings,
	Workflow,
} from 'n8n-workflow';
import { n8n } from './core.ts';
import type { NodeTypes } from './types.ts';

/** A node of a workflow; what the editor fills in by itself may be left out. */
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
 * The node with the editor's defaults.
 *
 * @throws UserError when a parameter is not one of the node type's: n8n would silently ignore it.
 */
export function completeNode(node: NodeJson, nodeTypes: NodeTypes): INode {
	const { description } = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const versions = [description.version].flat();
	const typeVersion = node.typeVersion ?? description.defaultVersion ?? versions.at(-1)!;
	if (!versions.includes(typeVersion)) {
		throw new n8n.UserError(
			`Node "${node.name}": ${node.type} has no version ${typeVersion} here, only ${versions.join(', ')}`,
		);
	}
	const known = new Set(description.properties.map(({ name }) => name));
	for (const name of Object.keys(node.parameters ?? {})) {
		if (!known.has(name))
			throw new n8n.UserError(`Node "${node.name}": ${node.type} has no parameter "${name}"`);
	}
	return {
		id: node.name,
		position: [0, 0],
		...node,
		typeVersion,
		parameters: structuredClone(node.parameters ?? {}) as INodeParameters,
	};
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
		// The database keeps static data as JSON.
		staticData: JSON.parse(JSON.stringify(json.staticData ?? {})) as IDataObject,
	});
}
