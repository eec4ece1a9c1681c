/** The node and credential types of an engine: those of its packages, and those given as objects. */
import type { PackageDirectoryLoader } from 'n8n-core';
import type {
	ICredentialType,
	ICredentialTypes,
	INodeProperties,
	INodeType,
	INodeTypes,
	IVersionedNodeType,
} from 'n8n-workflow';
import { core, n8n } from './core.ts';

type AnyNodeType = INodeType | IVersionedNodeType;

/** Loads a built package, a folder with a package.json that has an `n8n` block, as n8n does. */
export async function loadPackage(directory: string): Promise<PackageDirectoryLoader> {
	const loader = new core.PackageDirectoryLoader(directory);
	await loader.loadAll();
	return loader;
}

/** The tool that n8n makes of a node: the same code with an output for agents; undefined if it is not usable as a tool. */
function asTool(type: AnyNodeType): INodeType | undefined {
	if (!('execute' in type) || !type.description.usableAsTool) return undefined;
	const { name, properties } = type.description;
	const description = {
		...type.description,
		name: `${name}Tool`,
		inputs: [],
		outputs: [n8n.NodeConnectionTypes.AiTool],
		properties: [TOOL_DESCRIPTION, ...properties],
	};
	return Object.create(type, { description: { value: description } }) as INodeType;
}

const TOOL_DESCRIPTION: INodeProperties = {
	displayName: 'Description',
	name: 'toolDescription',
	type: 'string',
	default: '',
};

export class NodeTypes implements INodeTypes {
	readonly #types = new Map<string, AnyNodeType>();

	constructor(loaders: PackageDirectoryLoader[], extra: Record<string, AnyNodeType>) {
		for (const loader of loaders) {
			for (const [name, { type }] of Object.entries(loader.nodeTypes)) {
				this.#types.set(`${loader.packageName}.${name}`, type);
				const tool = asTool(type);
				if (tool) this.#types.set(`${loader.packageName}.${name}Tool`, tool);
			}
		}
		for (const [name, type] of Object.entries(extra)) this.#types.set(name, type);
	}

	getByName(name: string): AnyNodeType {
		const type = this.#types.get(name);
		if (!type) {
			throw new n8n.UserError(
				`This engine has no node type "${name}". It knows: ${[...this.#types.keys()].join(', ')}`,
			);
		}
		return type;
	}

	getByNameAndVersion(name: string, version?: number): INodeType {
		return n8n.NodeHelpers.getVersionedNodeType(this.getByName(name), version);
	}

	getKnownTypes() {
		return Object.fromEntries([...this.#types.keys()].map((name) => [name, {}]));
	}

	names(): string[] {
		return [...this.#types.keys()];
	}
}

export class CredentialTypes implements ICredentialTypes {
	readonly #types = new Map<string, ICredentialType>();
	readonly #supportedNodes = new Map<string, string[]>();

	constructor(loaders: PackageDirectoryLoader[], extra: ICredentialType[]) {
		for (const loader of loaders) {
			for (const [name, { type }] of Object.entries(loader.credentialTypes)) {
				this.#add(type);
				const nodes = loader.known.credentials[name]?.supportedNodes ?? [];
				this.#supportedNodes.set(
					name,
					nodes.map((node) => `${loader.packageName}.${node}`),
				);
			}
		}
		for (const type of extra) this.#add(type);
	}

	#add(type: ICredentialType): void {
		// Like n8n after loading: adds "Allowed HTTP Request Domains" to every credential that authenticates.
		type.properties = n8n.injectDomainRestrictionFields(type);
		this.#types.set(type.name, type);
	}

	recognizes(name: string): boolean {
		return this.#types.has(name);
	}

	getByName(name: string): ICredentialType {
		const type = this.#types.get(name);
		if (!type) throw new n8n.UserError(`This engine has no credential type "${name}".`);
		return type;
	}

	getSupportedNodes(name: string): string[] {
		return this.#supportedNodes.get(name) ?? [];
	}

	getParentTypes(name: string): string[] {
		const parents = this.#types.get(name)?.extends ?? [];
		return parents.flatMap((parent) => [parent, ...this.getParentTypes(parent)]);
	}
}
