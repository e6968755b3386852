import { afterEach, describe, expect, test } from 'bun:test'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { openTerminal } from '../cli/terminal'
import { ask, commandSeen, openTestGateway } from '../support/gateway'
import { wholeReply } from '../support/stand-in'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** The clients that sent each request: only `fetch` says in a field that it keeps the connection. */
type Client = 'own' | 'fetch'

/** A vendor on bare sockets. `isMute` makes it drop a connection instead of answering. */
async function openVendor(isMute: (requestOfConnection: number) => boolean = () => false) {
  const clients: Client[] = []
  const sockets: Socket[] = []
  const body = await wholeReply('hello').text()
  const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const server = createServer((socket) => {
    sockets.push(socket)
    let requests = 0
    let heard = ''
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1')
      const [head = '', sent] = heard.split('\r\n\r\n')
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1])
      if (sent === undefined || sent.length < length) return
      clients.push(/^connection:/im.test(head) ? 'fetch' : 'own')
      heard = ''
      if (isMute(++requests)) socket.destroy()
      else socket.write(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    clients,
    connections: sockets,
  }
}

type Vendor = Awaited<ReturnType<typeof openVendor>>

/** A gateway with that vendor, on a folder of which commands change the settings. */
async function serving(vendor: Vendor) {
  const terminal = openTerminal()
  closing.push(() => terminal.close())
  const chapar = await openTestGateway({ folder: terminal.data, vendorUrl: vendor.url })
  closing.push(() => chapar.close())
  const set = async (transport: Client) => {
    await terminal.json('vendor', 'set', 'standin', '--transport', transport)
    await commandSeen()
  }
  const statusOfCall = async () => (await chapar.post(ask('priced'))).status
  return { chapar, set, statusOfCall }
}

describe('the client that carries calls to a vendor', () => {
  test('is the one that a command names, from the next call on', async () => {
    const vendor = await openVendor()
    const { set, statusOfCall, chapar } = await serving(vendor)
    expect(await statusOfCall()).toBe(200)
    await set('fetch')
    expect(await statusOfCall()).toBe(200)
    await set('own')
    expect(await statusOfCall()).toBe(200)
    expect(vendor.clients).toEqual(['own', 'fetch', 'own'])
    expect((await chapar.audit()).ok).toBe(true)
  })

  test.each(['own', 'fetch'] as const)(
    'is %s: a call whose kept connection is dropped is not sent again',
    async (transport) => {
      const vendor = await openVendor((request) => request === 2)
      const { set, statusOfCall, chapar } = await serving(vendor)
      await set(transport)
      expect([await statusOfCall(), await statusOfCall()]).toEqual([200, 502])
      expect(vendor.clients).toEqual([transport, transport])
      expect(vendor.connections).toHaveLength(1)
      expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
    },
  )
})
