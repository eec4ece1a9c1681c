/** The value of a cookie in a request's `Cookie` header. */
export function readCookie(header: string, name: string): string | undefined {
	return header
		.split(';')
		.map((pair) => pair.trim())
		.find((pair) => pair.startsWith(`${name}=`))
		?.slice(name.length + 1);
}

/** A `Set-Cookie` header for the whole host; the value is a token of the sandbox, which needs no encoding. */
export function writeCookie(name: string, value: string, maxAgeSeconds: number): string {
	return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax`;
}
