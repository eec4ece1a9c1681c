/** What n8n's node panel says: it shows a node and its trigger as one entry, under the words of either. */
export const ABOUT =
	'Short links and QR codes of hosts with GemPixel’s Premium URL Shortener: manage them, or start on scans and clicks';
