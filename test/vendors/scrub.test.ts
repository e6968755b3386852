import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { scrub } from '../../src/gateway/vendors/scrub'
import { leastCpuMs } from '../support/cpu-time'

const letters = (alphabet: string, least: number, most: number) =>
  fc
    .array(fc.constantFrom(...alphabet.split('')), { minLength: least, maxLength: most })
    .map((all) => all.join(''))
const base62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** As makers of keys make them: no run of such letters is a word. */
const random = (least: number, most = 64) =>
  letters(base62, least, most).filter(
    (text) => /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text),
  )

const secret = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        'sk-',
        'sk-proj-',
        'sk-ant-api03-',
        'sk_live_',
        'gsk_',
        'xai-',
        'csk-',
        'fw_',
        'hf_',
        'pplx-',
        'nvapi-',
        'AIza',
        'sess-',
      ),
      random(12),
    )
    .map((each) => each.join('')),
  fc
    .tuple(
      fc.constantFrom('org-', 'proj_', 'org_', 'user-', 'acct_', 'req_', 'file-'),
      random(12, 28),
    )
    .map((each) => each.join('')),
  random(24),
  letters('0123456789abcdef', 32, 64).filter((text) => /\d/.test(text) && /[a-f]/.test(text)),
  fc
    .tuple(letters('0123456789abcdef', 32, 32), random(16, 16))
    .map(([id, rest]) => `${id}.${rest}`),
  fc.tuple(random(20), random(20), random(20)).map((parts) => `eyJ${parts.join('.')}`),
  fc.uuid(),
)
const around = fc.array(
  fc.constantFrom(
    'the',
    'model',
    'is',
    'wrong,',
    'key:',
    '"',
    '(see',
    "'max_tokens'",
    'https://api.vendor.com/v1/x?key=1',
    'Bearer',
    '\n',
    'organization',
    'a'.repeat(400),
  ),
  { maxLength: 30 },
)

test('any secret planted into a vendor’s words is gone from them', () => {
  fc.assert(
    fc.property(
      around,
      secret,
      around,
      fc.constantFrom(' ', ': ', ' "', " '", '=', ' (', ','),
      (before, key, after, glue) => {
        const said = scrub(`${before.join(' ')}${glue}${key}${glue.trim()} ${after.join(' ')}`)
        expect(said).not.toContain(key)
        // Nor enough of it to go by.
        for (let at = 0; at + 12 <= key.length; at++)
          expect(said).not.toContain(key.slice(at, at + 12))
        expect(said.length).toBeLessThanOrEqual(300)
      },
    ),
    { numRuns: 2000 },
  )
})

test('any place in a long text is safe for a secret, also where the text is cut', () => {
  const key = 'sk-Ab3dEf6hIj9lMn2pQr5tUv8x'
  for (let at = 0; at < 2600; at++) {
    const said = scrub(`${'https://a.b/c '.repeat(400).slice(0, at)} ${key} and more`)
    expect(said).not.toMatch(/Ab3d|sk-/)
  }
})

test.each([
  'Write to ali.rezaei@example.com about it',
  'dial tcp 10.1.2.3:8080: connection refused',
  'Post "http://127.0.0.1:11434/api": EOF',
  'upstream localhost:8000 is down',
  'See platform.openai.com/account/api-keys',
  'Authorization: Bearer abcdef',
  'Incorrect API key provided: dev. Check it',
  'Key abcd****wxyz is wrong',
  'Your organization org-abcd1234 has no access',
])('%s: the part that tells too much is gone', (text) => {
  expect(scrub(text)).toContain('…')
  expect(scrub(text)).not.toMatch(
    /ali\.|example\.com|10\.1|127\.0|8000|platform|abcdef|: dev|abcd|wxyz/,
  )
})

test.each([
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  "Invalid value for 'reasoning_effort': 'minimal'. Supported values are: 'none', 'low', 'medium', and 'high'.",
  'The model gpt-4o-2024-08-06 is not available in user_location and file_search mode.',
  'claude-haiku-4-5-20251001 and meta-llama/Llama-3.3-70B-Instruct-Turbo differ',
  'token generation failed: basic check of invalid_request_error, unsupported_country_region_territory',
  "Missing required parameter: 'messages[0].tool_calls[1].function.arguments'.",
  'این مدل در دسترس نیست',
  'Rate limit reached: 30000 tokens per minute (TPM), used 29950, requested 120.',
])('%s: says nothing secret and stays as it is', (text) => {
  expect(scrub(text)).toBe(text)
})

test('a hostile text takes no time', async () => {
  const texts = [
    'a-'.repeat(50_000),
    'a.'.repeat(50_000),
    '@'.repeat(100_000),
    'A1'.repeat(50_000),
    ' '.repeat(100_000),
    'http'.repeat(30_000),
  ]
  expect(await leastCpuMs(() => texts.map(scrub))).toBeLessThan(1000)
})
