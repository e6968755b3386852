import { createServer } from 'node:net'

/**
 * The port itself, where nobody listens; a free one for 0. Processes that share a port would share it with whoever
 * does the same, a gateway of other data too.
 * @throws Error with code EADDRINUSE | EADDRNOTAVAIL | EACCES
 */
export function freePort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address()
      const found = typeof address === 'object' && address !== null ? address.port : port
      server.close(() => resolve(found))
    })
  })
}
