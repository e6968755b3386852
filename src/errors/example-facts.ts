import { nanoUsd, parseUsd } from '../domain/money'
import type { ErrorCode } from './codes'
import type { Facts } from './texts-en'

/** Facts that any code may ask for, as they could be. */
const facts = {
  field: 'temperature',
  expected: 'a number from 0 to 2',
  model: 'gpt-4o',
  type: 'embedding',
  endpoint: '/v1/chat/completions',
  servedAt: '/v1/embeddings',
  count: 501,
  limit: 500,
  limitKb: 20_480,
  encoding: 'compress',
  allowed: ['gpt-4o-mini', 'deepseek-chat'],
  said: '',
  expired: '2026-01-31',
  available: parseUsd('0.25'),
  held: nanoUsd(0),
  needed: parseUsd('0.75'),
  spent: parseUsd('4.5'),
  ceiling: 'max_tokens',
  by: 'key',
  address: '203.0.113.7',
  project: 'web',
  id: 'req_01a1fc2af862771d89db',
  method: 'GET',
  path: '/v1/nothing',
  allow: 'POST',
  seconds: 12,
  opens: '2026-01-31T00:00:00Z',
}

/** Those of codes in which the same word means something else. */
const inCode: Partial<Record<ErrorCode, Partial<Record<keyof typeof facts, unknown>>>> = {
  model_endpoint_mismatch: { model: 'text-embedding-3-small' },
  key_spend_limit_reached: { limit: parseUsd('5') },
  project_budget_exceeded: { limit: parseUsd('5') },
  daily_cap_reached: { limit: parseUsd('5') },
  kyc_required: { limit: parseUsd('2'), spent: parseUsd('1.5') },
  prompt_too_long: { count: 4001, limit: 4000 },
  input_too_long: { count: 4097, limit: 4096 },
  invalid_message: { field: 'messages[0].role', expected: 'system | user | assistant' },
  invalid_seconds: { model: 'sora-2', allowed: ['4', '8', '12'] },
  invalid_size: { model: 'sora-2', allowed: ['1280x720', '720x1280'] },
  rate_limit_exceeded: { limit: 60 },
  concurrency_limit: { limit: 8 },
  video_not_found: { id: 'vid_01a1fc2af862771d89db' },
  method_not_allowed: { path: '/v1/chat/completions' },
}

/** Plausible facts of a code, for documents and for refusals that a client's tests ask for. */
export const exampleFacts = <Code extends ErrorCode>(code: Code): Facts<Code> =>
  // Each text takes what it needs of all facts that there are; a test reads every one of them.
  ({ ...facts, ...inCode[code] })
