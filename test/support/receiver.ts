import { createHmac, timingSafeEqual } from 'node:crypto'

/** One post of a notice, as a receiver sees it. */
interface Posted {
  readonly id: string
  readonly timestamp: number
  readonly signed: boolean
  readonly body: {
    readonly id: string
    readonly kind: string
    readonly threshold: number | null
    readonly [member: string]: unknown
  }
}

export type Answer = (posted: Posted, index: number) => Response | Promise<Response>

/** A receiver of notices on loopback, that verifies as the documents tell it. */
export interface Receiver {
  readonly url: string
  readonly posted: readonly Posted[]
  answer(next: Answer): void
  /** Waits until so many posts came. @throws Error when they do not come in ten seconds */
  until(count: number): Promise<readonly Posted[]>
  close(): Promise<void>
}

export const receiverSecret = 'shared with the receiver'

export function openReceiver(first: Answer = () => new Response(null, { status: 204 })): Receiver {
  let answer = first
  const posted: Posted[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 255,
    async fetch(request) {
      const text = await request.text()
      const id = request.headers.get('webhook-id') ?? ''
      const timestamp = request.headers.get('webhook-timestamp') ?? ''
      const signature = request.headers.get('webhook-signature') ?? ''
      const one: Posted = {
        id,
        timestamp: Number(timestamp),
        signed: verified(`${id}.${timestamp}.${text}`, signature),
        body: JSON.parse(text) as Posted['body'],
      }
      posted.push(one)
      return await answer(one, posted.length - 1)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/notices`,
    posted,
    answer: (next) => void (answer = next),
    async until(count) {
      for (let tries = 0; posted.length < count; tries++) {
        if (tries === 2000) throw new Error(`only ${posted.length} of ${count} posts came`)
        await Bun.sleep(5)
      }
      return posted
    },
    close: () => server.stop(true),
  }
}

function verified(content: string, signature: string): boolean {
  const expected = `v1,${createHmac('sha256', receiverSecret).update(content).digest('base64')}`
  return (
    signature.length === expected.length &&
    timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
  )
}
