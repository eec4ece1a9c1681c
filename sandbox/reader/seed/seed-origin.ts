import type { Queries } from '../storage/queries.ts';

/** Columns that may contain URLs of the sandbox. */
const addressed: readonly [table: string, columns: readonly string[]][] = [
	['reader_feeds', ['address', 'link']],
	['reader_stories', ['link', 'content', 'image_urls']],
];

/** Changes the origin of the built-in feeds in a data file after a start on another port. */
export function moveToOrigin(db: Queries, origin: string): void {
	const known = db.get<{ value: string }>(`SELECT value FROM reader_facts WHERE name = 'origin'`)?.value;
	if (known === origin) return;
	db.transaction(() => {
		if (known !== undefined) {
			for (const [table, columns] of addressed) {
				for (const column of columns) {
					db.run(
						`UPDATE ${table} SET ${column} = replace(${column}, ?1, ?2) WHERE instr(${column}, ?1) > 0`,
						`${known}/`,
						`${origin}/`,
					);
				}
			}
		}
		db.run(
			`INSERT INTO reader_facts VALUES ('origin', ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
			origin,
		);
	});
}
