import { afterAll, beforeAll, expect, test } from 'bun:test'
import { wholeMessage } from '../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { geminiReply } from '../support/google-stand-in'
import { addHubVendor } from '../support/hub-vendor'
import { message, response } from '../support/responses-stand-in'
import { openStandIn, wholeReply, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn(({ path }) => answers(path))
  const { url } = vendor
  chapar = await openTestGateway({
    async prepare(storage) {
      await addHubVendor({ kind: 'openai', url, models: { gpt: {} } })(storage)
      await addHubVendor({ kind: 'anthropic', url, models: { claude: {} } })(storage)
      await addHubVendor({ kind: 'google', url, models: { gemini: {} } })(storage)
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

/** What a vendor reads in a long file. */
const long = 150_000
let read = long

/** Each format's whole answer to a prompt of so many tokens. */
function answers(path: string): Response {
  if (path.endsWith('/messages'))
    return wholeMessage([{ type: 'text', text: 'Hello' }], 'end_turn', {
      input_tokens: read,
      output_tokens: 2,
    })
  if (path.endsWith('/responses'))
    return Response.json(
      response([message('Hello')], {
        usage: { input_tokens: read, output_tokens: 2, total_tokens: read + 2 },
      }),
    )
  if (path.includes('generateContent'))
    return Response.json({
      ...geminiReply([{ text: 'Hello' }]),
      usageMetadata: {
        promptTokenCount: read,
        candidatesTokenCount: 2,
        totalTokenCount: read + 2,
      },
    })
  return wholeReply('Hello', {
    prompt_tokens: read,
    completion_tokens: 2,
    total_tokens: read + 2,
  })
}

const address = 'https://example.com/report.pdf'
const film = 'https://www.youtube.com/watch?v=1'
/** A page may hold a book, and a film of a still picture takes few bytes a minute. */
const page = Buffer.from('%PDF-1.7 <</Type/Page>>').toString('base64')
const says = (...parts: readonly object[]) => ({ messages: [{ role: 'user', content: parts }] })
const shows = (part: object) => ({ input: [{ role: 'user', content: [part] }] })

const asked = [
  ['/messages', 'claude', says({ type: 'document', source: { type: 'url', url: address } })],
  [
    '/messages',
    'claude',
    says({
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: page },
    }),
  ],
  ['/responses', 'gpt', shows({ type: 'input_file', file_url: address })],
  [
    '/responses',
    'gpt',
    shows({
      type: 'input_file',
      filename: 'a.csv',
      file_data: `data:text/csv;base64,${Buffer.from('1,2,3\n').toString('base64')}`,
    }),
  ],
  ['/chat/completions', 'gpt', says({ type: 'file', file: { file_data: address } })],
  ['/chat/completions', 'gpt', says({ type: 'video_url', video_url: { url: film } })],
  [
    '/chat/completions',
    'gpt',
    says({ type: 'video_url', video_url: { url: film }, image_url: { url: address } }),
  ],
  ['/responses', 'gemini', shows({ type: 'input_image', image_url: 'data:video/mp4;base64,AAAA' })],
  [
    '/messages',
    'gemini',
    says({ type: 'image', source: { type: 'base64', media_type: 'video/mp4', data: 'AAAA' } }),
  ],
  ['/chat/completions', 'gemini', says({ type: 'file', file: { file_data: film } })],
  ['/chat/completions', 'claude', says({ type: 'file', file: { file_data: address } })],
] as const

async function pays(path: string, model: string, body: object): Promise<void> {
  const { key } = await chapar.customer({ usd: '100' })
  const ceiling = path === '/responses' ? 'max_output_tokens' : 'max_tokens'
  const answer = await fetch(chapar.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, [ceiling]: 100, ...body }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
  await chapar.rest()
  const call = await chapar.storage.reports.call(answer.headers.get('x-request-id') ?? '', null)
  expect(call).toMatchObject({ inputTokens: read, unpaid: null })
}

test.each(asked)('%s of %s pays what is read in a file', (path, model, body) => {
  read = long
  return pays(path, model, body)
})

test('thin sound pays for its length, also where it is said to be WAV', () => {
  // 8 kbit and 32 tokens a second.
  const seconds = 200
  read = seconds * 32
  const data = Buffer.alloc(seconds * 1000, 1).toString('base64')
  const sound = { type: 'input_audio', input_audio: { data, format: 'wav' } }
  return pays('/chat/completions', 'gpt', says(sound))
})
