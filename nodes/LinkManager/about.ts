/** The description in n8n's node panel, which shows a node and its trigger as one entry. */
export const ABOUT =
	'Manage short links and QR codes at hosts that run GemPixel’s Premium URL Shortener, or start on scans and clicks';
