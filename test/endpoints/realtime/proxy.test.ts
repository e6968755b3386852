import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { addVendor } from '../../support/gateway'
import { openRealtimeClient } from '../../support/realtime-client'
import { openConversing, saveVoice, type Conversing } from './conversation'
import { ask, settled } from './desk'

let it: Conversing
let proxy: Server
const asked: string[] = []
beforeAll(async () => {
  proxy = createServer((client) => {
    client.once('data', (head) => {
      asked.push(head.toString().split('\r\n')[0] ?? '')
      const { port } = new URL(it.vendor.url)
      const server = connect(Number(port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        client.pipe(server).pipe(client)
      })
      server.on('error', () => client.destroy())
      client.on('error', () => server.destroy())
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  it = await openConversing({
    env: { HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '127.0.0.1' },
    async prepare(storage) {
      await addVendor(storage, 'far', 'http://vendor.example/v1')
      await saveVoice(storage, 'far-voice', ['far'])
    },
  })
})
afterAll(async () => {
  await it.close()
  proxy.close()
})

test('a vendor behind a proxy is reached through it, one that is excepted directly', async () => {
  for (const [model, through] of [
    ['far-voice', ['CONNECT vendor.example:80 HTTP/1.1']],
    ['voice', []],
  ] as const) {
    asked.length = 0
    const client = openRealtimeClient(
      `${it.chapar.url.replace('http', 'ws')}/realtime?model=${model}`,
      {
        headers: { authorization: `Bearer ${it.chapar.key}` },
      },
    )
    await client.next('session.created')
    client.send(ask)
    await client.next('response.done')
    client.close()
    await settled(it)
    expect(asked).toEqual([...through])
  }
})
