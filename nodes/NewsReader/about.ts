/** What n8n's node panel says: it shows a node and its trigger as one entry, under the words of either. */
export const ABOUT =
	'Read, mark, save and share stories of NewsBlur or your own NewsBlur server, or start on new ones';
