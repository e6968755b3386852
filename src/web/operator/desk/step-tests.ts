import { operate } from '../operate'
import type { Step } from './steps'

/** Outcome of the test of a set-up step; `code` has its text. */
export interface StepOutcome {
  readonly ok: boolean
  readonly code: string
  readonly found?: string
}

const none = (code: string): StepOutcome => ({ ok: false, code })

/** Outcome of a step by the findings of the doctor. @param wanted names of its checks */
async function doctorOf(wanted: RegExp): Promise<StepOutcome> {
  const { data } = await operate('GET /health/doctor', {})
  const ours = data.filter(({ check }) => wanted.test(check))
  const wrong = ours.filter(({ state }) => state !== 'ok')
  const told = (wrong.length > 0 ? wrong : ours).map(({ check, found }) => `${check}: ${found}`)
  if (ours.length === 0) return none('none')
  return { ok: wrong.length === 0, code: 'doctor', found: told.join(' · ') }
}

async function lastCall(): Promise<StepOutcome> {
  const { data } = await operate('GET /requests', { query: { max: 1 } })
  const [call] = data
  if (call === undefined) return none('noCall')
  return { ok: call.status !== 'error', code: 'lastCall', found: `${call.model} · ${call.status}` }
}

async function firstGateway(): Promise<StepOutcome> {
  const { data } = await operate('GET /gateways', {})
  const [gateway] = data
  if (gateway === undefined) return none('none')
  const { name } = gateway
  await operate('POST /gateways/{name}/test', { params: { name } })
  return { ok: true, code: 'gateway', found: name }
}

async function smsIsSet(): Promise<StepOutcome> {
  const { data } = await operate('GET /sms-providers', {})
  const provider = data.find(({ kind }) => kind !== 'log')
  return provider === undefined ? none('none') : { ok: true, code: 'sms', found: provider.name }
}

async function rateNow(): Promise<StepOutcome> {
  const { rate } = await operate('GET /rate', {})
  if (rate === null) return none('none')
  const coins = Math.round(Number(rate.coins_per_usd) * 10)
  return { ok: true, code: 'rate', found: String(coins) }
}

async function here(): Promise<StepOutcome> {
  const { data } = await operate('GET /checklist', {})
  const url = data.find(({ name }) => name === 'address')?.detail ?? null
  if (url === null) return none('noAddress')
  const ok = url === location.origin && location.protocol === 'https:'
  return { ok, code: ok ? 'address' : 'otherAddress', found: url }
}

async function brandNow(): Promise<StepOutcome> {
  const { data } = await operate('GET /settings', {})
  const value = data.find(({ name }) => name === 'brand-name')?.value ?? null
  return value === null ? none('none') : { ok: true, code: 'brand', found: String(value) }
}

async function backupNow(): Promise<StepOutcome> {
  const { name } = await operate('POST /health/backups', {})
  return { ok: true, code: 'backup', found: name }
}

const tests: Readonly<Record<Step['name'], () => Promise<StepOutcome>>> = {
  vendor: () => doctorOf(/^vendor /),
  prices: () => doctorOf(/^models$|price/),
  sms: smsIsSet,
  gateway: firstGateway,
  rate: rateNow,
  brand: brandNow,
  customer: lastCall,
  backup: backupNow,
  address: here,
  async proxy() {
    const { data } = await operate('GET /checklist', {})
    const proxy = data.find(({ name }) => name === 'proxy')
    return proxy?.done === true
      ? { ok: true, code: 'proxy' }
      : { ok: false, code: 'untrusted', found: proxy?.detail ?? '' }
  },
}

/** Tries what a step set up. @throws ApiError */
export const testOf = (name: Step['name']): Promise<StepOutcome> => tests[name]()
