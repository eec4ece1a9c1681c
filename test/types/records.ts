/** Records that contradict their declaration; none of them compiles. See rows.ts. */
import { aText, anInteger, exact, optional, record, type RecordOf } from '../../nodes/runtime/table/record';
import { simplified } from '../../nodes/runtime/table/operation';

const story = record({ hash: aText, score: optional(anInteger) });
const score = record({ score: optional(anInteger) });
declare const response: Record<string, unknown>;
declare const isScored: boolean;

/** Records that are as declared. */
export const whole = exact(story, { hash: response.hash, score: 1 });
export const least: RecordOf<typeof story> = exact(story, { hash: response.hash });
export const either = exact(story, { hash: response.hash, ...(isScored && { score: 1 }) });

// @ts-expect-error A declared member is not emitted.
exact(story, { score: 1 });

// @ts-expect-error A member that may be lacking is not declared so.
exact(story, { ...(isScored && { hash: response.hash }) });

// @ts-expect-error A member is not declared.
exact(story, { hash: response.hash, title: response.title });

// @ts-expect-error Nor is one that may be lacking.
exact(story, { hash: response.hash, ...(isScored && { title: response.title }) });

// @ts-expect-error An answer may hold anything.
exact(score, response);

// @ts-expect-error A copy of it has no known members either. Next to other members, TypeScript doesn't notice.
exact(score, { ...response });

// @ts-expect-error What a simplified record is made of is what it declares.
simplified(story, () => ({ title: response.title }));
