/** The description in n8n's node panel, which shows a node and its trigger as one entry. */
export const ABOUT =
	'Short links and QR codes of hosts with GemPixel’s Premium URL Shortener: manage them, or start on scans and clicks';
