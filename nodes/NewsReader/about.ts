/** The description in n8n's node panel, which shows a node and its trigger as one entry. */
export const ABOUT =
	'Read, mark, save and share stories of NewsBlur or your own NewsBlur server, or start on new ones';
