import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { paced, until } from '../support/pace'
import { chunk, openStandIn, usageChunk, usage, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({ vendorUrl: vendor.url })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

/** Events of 20 KB each, and how many the vendor got rid of. */
const big = 'x'.repeat(20_000)
const count = 3000

describe('a client that reads slowly', () => {
  test('makes the vendor wait, and gets everything in the end', async () => {
    let sent = 0
    vendor.play(() => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent++
          const last = sent > count
          const text = last
            ? `${chunk({}, 'stop')}${usageChunk(usage)}data: [DONE]\n\n`
            : chunk({ content: big })
          controller.enqueue(new TextEncoder().encode(text))
          if (last) controller.close()
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    })
    const url = new URL(chapar.url)
    const body = JSON.stringify(ask('priced', { stream: true }))
    const socket = connect(Number(url.port), url.hostname)
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${chapar.key}\r\n` +
        `connection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await new Promise<void>((resolve) => socket.once('data', () => resolve()))
    socket.pause()
    let before = -1
    const rests = async () => {
      const isSame = sent === before
      before = sent
      if (!isSame) await Bun.sleep(paced(200))
      return isSame
    }
    await until(rests)
    // Buffers of the system and ours hold some megabytes; all of it would be sixty.
    expect(sent).toBeLessThan(count / 2)
    let received = 0
    socket.on('data', (bytes) => void (received += bytes.length))
    socket.resume()
    await new Promise<void>((resolve) => socket.once('close', () => resolve()))
    expect(received).toBeGreaterThan(count * big.length)
    expect((await chapar.rest()).held).toBe(0)
  })
})
