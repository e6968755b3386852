import { afterAll, beforeAll, expect, test } from 'bun:test'
import { serve, type Serving } from '../support/executable'

let serving: Serving
beforeAll(async () => {
  serving = await serve(['--ephemeral'])
})
afterAll(async () => {
  serving.kill('SIGTERM')
  await serving.exited
})

test('a video is ordered, made and fetched from the program as it is handed out', async () => {
  const headers = { authorization: `Bearer ${serving.key}` }
  const form = new FormData()
  for (const [name, value] of Object.entries({ model: 'sandbox/video', prompt: 'the sea' }))
    form.set(name, value)
  const answer = await fetch(`${serving.url}/videos`, { method: 'POST', headers, body: form })
  const { id } = (await answer.json()) as { id: string }
  const status = async () =>
    ((await (await fetch(`${serving.url}/videos/${id}`, { headers })).json()) as { status: string })
      .status
  for (let tries = 0; (await status()) !== 'completed' && tries < 100; tries++) await Bun.sleep(100)
  for (const [variant, begins] of [
    ['video', '0000002066747970'],
    ['thumbnail', '52494646'],
    ['spritesheet', 'ffd8ff'],
  ] as const) {
    const file = await fetch(`${serving.url}/videos/${id}/content?variant=${variant}`, { headers })
    expect(Buffer.from(await file.arrayBuffer()).toString('hex', 0, 8)).toStartWith(begins)
  }
})
