import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { nanoUsd, showUsd } from '../../src/domain/money'
import { codes, errorType, type ErrorCode } from '../../src/errors/codes'
import { GatewayError } from '../../src/errors/gateway-error'
import { noLinks } from '../../src/errors/links'
import { en, type Facts } from '../../src/errors/texts-en'
import { fa, usdFa } from '../../src/errors/texts-fa'

/** The specification's table, row for row. */
const specification = `
  400 invalid_request_error invalid_json
  400 invalid_request_error missing_model invalid_model
  400 invalid_request_error model_endpoint_mismatch
  400 invalid_request_error missing_messages invalid_message too_many_messages
  400 invalid_request_error missing_prompt missing_input missing_file
  400 invalid_request_error prompt_too_long input_too_long
  400 invalid_request_error invalid_seconds invalid_size
  400 invalid_request_error streaming_disabled
  400 invalid_request_error upstream_rejected
  400 invalid_request_error endpoint_not_supported
  401 authentication_error missing_api_key
  401 authentication_error invalid_api_key
  401 authentication_error api_key_revoked api_key_expired api_key_disabled
  402 insufficient_quota insufficient_credit
  402 insufficient_quota key_spend_limit_reached
  402 insufficient_quota project_budget_exceeded
  402 insufficient_quota daily_cap_reached
  403 permission_error model_not_allowed
  403 permission_error ip_not_allowed
  403 permission_error kyc_required
  403 permission_error project_inactive account_suspended
  404 invalid_request_error model_not_found
  404 invalid_request_error model_discontinued
  404 invalid_request_error request_not_found video_not_found
  404 invalid_request_error unknown_url
  405 invalid_request_error method_not_allowed
  413 invalid_request_error request_too_large
  429 rate_limit_error rate_limit_exceeded
  429 rate_limit_error concurrency_limit
  429 rate_limit_error upstream_rate_limited upstream_capacity_full
  429 rate_limit_error too_many_failed_attempts
  502 upstream_error upstream_error upstream_unreachable
  502 upstream_error stream_interrupted
  503 service_unavailable model_temporarily_unavailable
  503 service_unavailable gateway_disabled daily_capacity_reached
  500 service_unavailable internal_error
  503 service_unavailable gateway_error`

const rows = specification
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [status, type, ...names] = line.trim().split(' ')
    return names.map((code) => `${code} ${status} ${type}`)
  })

const word = fc.stringMatching(/^[a-z0-9][A-Za-z0-9./_-]{8,24}$/)
const count = fc.integer({ min: 1, max: 1_000_000 })
const money = fc.integer({ min: 0, max: 1e15 }).map(nanoUsd)
const none = fc.constant({})
const model = fc.record({ model: word })
const field = fc.record({ field: word, expected: word })
const tooMany = fc.record({ count, limit: count })
const allowed = fc.record({ model: word, allowed: fc.array(word, { minLength: 1, maxLength: 4 }) })
const cap = fc.record({ limit: money, spent: money, needed: money })
const id = fc.record({ id: word })

/** What each code may be told. A fact more or less than its English text asks for does not compile. */
const facts: { readonly [Code in ErrorCode]: fc.Arbitrary<Facts<Code>> } = {
  invalid_json: none,
  invalid_field: field,
  missing_model: none,
  invalid_model: none,
  model_endpoint_mismatch: fc.record({ model: word, type: word, endpoint: word, servedAt: word }),
  missing_messages: none,
  invalid_message: field,
  too_many_messages: tooMany,
  missing_prompt: none,
  missing_input: none,
  missing_file: none,
  prompt_too_long: tooMany,
  input_too_long: tooMany,
  invalid_seconds: allowed,
  invalid_size: allowed,
  streaming_disabled: none,
  upstream_rejected: fc.record({ said: fc.oneof(fc.constant(''), word) }),
  endpoint_not_supported: fc.record({ model: word, endpoint: word }),
  missing_api_key: none,
  invalid_api_key: none,
  api_key_revoked: none,
  api_key_expired: fc.record({ expired: word }),
  api_key_disabled: none,
  insufficient_credit: fc.record({
    available: money,
    held: fc.oneof(fc.constant(nanoUsd(0)), money),
    needed: money,
  }),
  key_spend_limit_reached: cap,
  project_budget_exceeded: cap,
  daily_cap_reached: cap,
  model_not_allowed: fc.record({
    model: word,
    by: fc.constantFrom('key', 'project'),
    allowed: fc.array(word, { minLength: 1, maxLength: 4 }),
  }),
  ip_not_allowed: fc.record({ address: word }),
  kyc_required: cap,
  project_inactive: fc.record({ project: word }),
  account_suspended: none,
  model_not_found: fc.record({ model: word, near: word }, { requiredKeys: ['model'] }),
  model_discontinued: model,
  request_not_found: id,
  video_not_found: id,
  unknown_url: fc.record({ method: word, path: word }),
  method_not_allowed: fc.record({ method: word, path: word, allow: word }),
  request_timeout: fc.record({ seconds: count }),
  upgrade_not_offered: fc.record({ path: word }),
  request_too_large: fc.record({ limitKb: count }),
  unsupported_encoding: fc.record({ encoding: word }),
  rate_limit_exceeded: fc.record({
    limit: count,
    by: fc.constantFrom('key', 'address'),
    seconds: count,
  }),
  concurrency_limit: fc.record({ limit: count }),
  upstream_rate_limited: model,
  upstream_capacity_full: model,
  too_many_failed_attempts: fc.record({ seconds: count }),
  upstream_error: model,
  upstream_unreachable: model,
  stream_interrupted: none,
  model_temporarily_unavailable: model,
  gateway_disabled: none,
  daily_capacity_reached: fc.record({ opens: word }),
  internal_error: none,
  gateway_error: none,
}

const persianWords: Readonly<Record<string, string>> = {
  key: 'کلید',
  project: 'پروژه',
  address: 'نشانی',
}

/** A fact as a reader meets it: dollars in full, who it was in the reader's language. */
function shown(code: ErrorCode, name: string, value: unknown, language: 'fa' | 'en'): string[] {
  if (Array.isArray(value)) return value.map(String)
  if (name === 'by')
    return [language === 'en' ? String(value) : (persianWords[String(value)] ?? '')]
  const inDollars = codes[code].status === 402 || code === 'kyc_required'
  if (!inDollars) return [String(value)]
  const dollars = nanoUsd(Number(value))
  return name === 'held' && value === 0
    ? []
    : [language === 'fa' ? usdFa(dollars) : showUsd(dollars)]
}

/** A number counts only when it stands alone: 5 is not said by 15. */
const says = (text: string, fact: string): boolean => {
  const numbers: readonly string[] = text.match(/\d+(?:\.\d+)?/g) ?? []
  return /^[\d.]+$/.test(fact) ? numbers.includes(fact) : text.includes(fact)
}

/** Any facts of this code: both texts say every one of them, each in its own language. */
function checkTexts<Code extends ErrorCode>(code: Code): void {
  const arbitrary: fc.Arbitrary<Facts<Code>> = facts[code]
  fc.assert(
    fc.property(arbitrary, (told) => {
      const error = new GatewayError(code, told)
      for (const language of ['fa', 'en'] as const) {
        const { message } = error.body(language).error
        expect(message).not.toMatch(/undefined|NaN|\[object/)
        for (const [name, value] of Object.entries(told))
          for (const fact of shown(code, name, value, language))
            expect({ message, fact, says: says(message, fact) }).toMatchObject({ says: true })
      }
    }),
    { numRuns: 40 },
  )
}

const names = Object.keys(codes) as ErrorCode[]
/** Ours, which the specification has no code for. */
const codeless = new Set<ErrorCode>([
  'invalid_field',
  'request_timeout',
  'unsupported_encoding',
  'upgrade_not_offered',
])

const sampleOf = <Code extends ErrorCode>(code: Code): GatewayError<Code> => {
  const arbitrary: fc.Arbitrary<Facts<Code>> = facts[code]
  const [told] = fc.sample(arbitrary, { numRuns: 1, seed: 7 })
  if (told === undefined) throw new Error('no facts')
  return new GatewayError(code, told)
}

describe('the error table', () => {
  test('is the specification’s, both ways, and has rows of its own without a code', () => {
    const ours = names.map((code) => `${code} ${codes[code].status} ${errorType(code)}`)
    const own = [...codeless].map((code) => `${code} ${codes[code].status} invalid_request_error`)
    expect(ours.sort()).toEqual([...rows, ...own].sort())
  })

  test('has a text in each language for every code and for nothing else', () => {
    expect(Object.keys(fa).sort()).toEqual(names.toSorted())
    expect(Object.keys(en).sort()).toEqual(names.toSorted())
  })

  test('says when to try again for every 429 and 503 and for nothing else', () => {
    const waiting = names.filter((code) => sampleOf(code).retryAfterSeconds !== null)
    expect(waiting).toEqual(names.filter((code) => [429, 503].includes(codes[code].status)))
  })
})

describe('the text of an error', () => {
  test.each(names)('any facts of %s are said in both languages', (code) => {
    checkTexts(code)
  })

  test.each(names)('%s is Persian with Persian letters, or English', (code) => {
    const persian = sampleOf(code).body('fa').error.message
    const english = sampleOf(code).body('en').error.message
    expect(persian.match(/[\u0600-\u06ff]{2,}/g)?.length ?? 0).toBeGreaterThanOrEqual(4)
    // Arabic kaf and yeh, and Arabic digits, look alike and are not found by a search.
    expect(persian).not.toMatch(/[\u0643\u064a\u0660-\u0669]/)
    expect(english).not.toMatch(/[\u0600-\u06ff]/)
    expect(english.match(/[A-Za-z]{2,}/g)?.length ?? 0).toBeGreaterThanOrEqual(3)
  })

  test.each(names)(
    '%s has nothing Latin in Persian that could turn the sentence around',
    (code) => {
      const arbitrary: fc.Arbitrary<Facts<ErrorCode>> = facts[code]
      fc.assert(
        fc.property(arbitrary, (told) => {
          const { message } = new GatewayError(code, told).body('fa').error
          const around = message.replaceAll(/[\u2066\u2068][^\u2066-\u2069]*\u2069/g, '')
          expect(around).not.toMatch(/[A-Za-z`\u2066-\u2069]/)
          // Signs of the sentence are its own.
          expect(message).not.toMatch(/\u2066[(".,:;!? ]|(?<=\u2066[^\u2069]*)[.,:;!? ]\u2069/)
        }),
        { numRuns: 20 },
      )
    },
  )

  test('takes marks of direction out of what others said', () => {
    const said = 'turned \u202e around \u2069 and out'
    const { message } = new GatewayError('upstream_rejected', { said }).body('fa').error
    expect(message).toEndWith('\u2068turned  around  and out\u2069')
  })

  test('tells of money held only when there is some', () => {
    const message = (held: number, language: 'fa' | 'en') =>
      new GatewayError('insufficient_credit', {
        available: nanoUsd(1),
        held: nanoUsd(held),
        needed: nanoUsd(2),
      }).body(language).error.message
    for (const language of ['fa', 'en'] as const) {
      expect(message(0, language)).not.toContain('(')
      expect(message(3, language)).toMatch(/\(.*0\.000000003.*\)/)
    }
  })

  test('ends after our own words when the vendor said nothing', () => {
    const { message } = new GatewayError('upstream_rejected', { said: '' }).body('en').error
    expect(message).toBe('The vendor refused this request; nothing was charged.')
  })
})

describe('the error on the wire', () => {
  test.each(names)('%s has exactly the four fields', (code) => {
    for (const language of ['fa', 'en'] as const) {
      const error = sampleOf(code)
      expect(JSON.parse(JSON.stringify(error.body(language)))).toStrictEqual({
        error: {
          message: (language === 'fa' ? fa : en)[code](error.facts as never, noLinks),
          type: errorType(code),
          code: codeless.has(code) ? null : code,
          param: null,
        },
      })
    }
  })

  test('names the field it concerns', () => {
    const error = new GatewayError('missing_model', {}, { param: 'model' })
    expect(error.body('fa').error.param).toBe('model')
  })

  test('never shows its cause', () => {
    const error = new GatewayError('internal_error', {}, { cause: new Error('sk-vendor-secret') })
    for (const language of ['fa', 'en'] as const)
      expect(JSON.stringify(error.body(language))).not.toContain('sk-vendor')
  })
})
