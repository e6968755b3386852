const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/
const forwarding = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/**
 * Whether a browser on this very machine asks: by its address, by the name it asks for, and by the
 * page that it asks from. A proxy on this machine forwards for others: what it adds says so, and
 * what the browser says of its page does.
 */
export function isLocal(
  { method, headers }: Request,
  address: string,
  publicUrl: string | null,
): boolean {
  const hostOf = (url: string | null) => (url === null ? '' : (URL.parse(url)?.host ?? ''))
  return (
    /^(?:127\.|::1$)/.test(address) &&
    loopbackHost.test(headers.get('host') ?? '') &&
    // Browsers name the page that asks only where something is changed.
    (method === 'GET' || loopbackHost.test(hostOf(headers.get('origin')))) &&
    (publicUrl === null || loopbackHost.test(hostOf(publicUrl))) &&
    !forwarding.some((name) => headers.has(name))
  )
}
