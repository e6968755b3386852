/*
 * One process of a service in which payments begin and end, until it kills itself at a moment that
 * the test chose: a tick is a look at the clock, a request out, an answer in, or a write that is done.
 */
import type { Ms } from '../../src/domain/clock'
import { nanoUsd } from '../../src/domain/money'
import { askService } from '../../src/outbound/post'
import { openCardDesk } from '../../src/payments/card-desk'
import type { CardPayment } from '../../src/payments/card-payment'
import { trialBank } from '../../src/payments/gateway-config'
import { openReconciler } from '../../src/payments/reconciler'
import { openStorage } from '../../src/storage/sqlite/open-storage'

export const storySteps = [
  'return',
  'twice',
  'reconcile',
  'lost',
  'cut',
  'html',
  'rate',
  'late',
] as const

/** What happens to one payment. */
export interface Story {
  /** What the customer does on the page of the bank, if the page was shown. */
  readonly decides: 'paid' | 'failed' | 'left' | 'failed-then-paid'
  readonly before: readonly (typeof storySteps)[number][]
  readonly after: readonly (typeof storySteps)[number][]
}

export interface ChildOrder {
  readonly folder: string
  readonly gateway: string
  /** Of the stand-in's controls. */
  readonly control: string
  readonly stories: readonly Story[]
  /** The first one to tell. */
  readonly from: number
  /** Null for never. */
  readonly killAt: number | null
  /** By how much the clock is ahead. */
  readonly aheadMs: number
}

if (import.meta.main) await live(JSON.parse(await Bun.stdin.text()) as ChildOrder)

async function live(order: ChildOrder): Promise<void> {
  const { folder, gateway, stories, from, killAt } = order
  let ahead = order.aheadMs
  let ticks = 0
  let line: 'whole' | 'lost' | 'cut' | 'html' = 'whole'
  const tick = () => {
    if (killAt !== null && ++ticks >= killAt) process.kill(process.pid, 'SIGKILL')
  }
  const clock = {
    now() {
      tick()
      return (Date.now() + ahead) as Ms
    },
  }
  const storage = openStorage({ folder, exclusive: false, clock })
  const desk = openCardDesk({
    gateways: storage.cardGateways,
    payments: storage.payments,
    store: ticking(storage.cardPayments, tick),
    slips: storage.trialSlips,
    clock,
    rialsPerCoin: () => 10,
    maxRateAgeMs: () => null,
    onCredited: tick,
    onFault: () => {},
    async send(request) {
      tick()
      if (line === 'cut') throw new Error('the connection was not made')
      const reply = await askService(request, 2000)
      tick()
      // It has acted, and nobody heard of it.
      if (line === 'lost') throw new Error('the connection was lost')
      return line === 'html' ? { status: 502, text: '<html>Bad Gateway</html>' } : reply
    },
  })
  const reconciler = openReconciler({
    desk,
    store: storage.cardPayments,
    gateways: storage.cardGateways,
    clock,
    checkRate: async () => {},
    onUnknown: () => {},
    onFault: () => {},
  })
  const tell = (path: string) => fetch(`${order.control}${path}`, { method: 'POST' })
  const act = async (step: (typeof storySteps)[number], payment: CardPayment) => {
    const settle = () => desk.settle(payment.id).catch(() => null)
    if (step === 'return') await settle()
    if (step === 'twice') await Promise.all([settle(), settle(), settle()])
    if (step === 'rate')
      await storage.payments.setRate(ticks % 2 === 0 ? '90000' : '110000', 'test')
    if (step === 'late') ahead += 16 * 60_000
    if (step === 'reconcile') {
      ahead += 31_000
      await reconciler.step()
    }
    if (step === 'lost' || step === 'cut' || step === 'html') {
      line = step
      await settle()
      line = 'whole'
    }
  }
  // What the process before it left behind.
  await reconciler.step()
  for (const [at, story] of stories.entries()) {
    if (at < from) continue
    await Bun.write(`${folder}/story`, String(at))
    const rate = (await storage.payments.rate())?.rate ?? ''
    const coins = 50_000 + at
    const pays =
      gateway === 'stripe' ? { usd: nanoUsd((at + 1) * 1_000_000_000) } : { coins, shownRate: rate }
    const { payment } = await desk.start({
      account: ((at % 20) + 1) as never,
      person: null,
      gateway: gateway === trialBank ? trialBank : 'main',
      pays,
      mobile: null,
      description: 'test',
      origin: 'http://127.0.0.1',
      mayTry: gateway === trialBank,
    })
    const decide = async (state: 'paid' | 'failed') => {
      if (gateway === trialBank)
        await storage.trialSlips.decide(
          payment.reference ?? '',
          state === 'paid' ? 'paid' : 'refused',
        )
      else await tell(`/decide/${payment.reference}/${state}`)
    }
    for (const step of story.before) await act(step, payment)
    if (story.decides === 'paid') await decide('paid')
    if (story.decides.startsWith('failed')) await decide('failed')
    for (const step of story.after.slice(0, 1)) await act(step, payment)
    if (story.decides === 'failed-then-paid') await decide('paid')
    for (const step of story.after.slice(1)) await act(step, payment)
  }
  await Bun.write(`${folder}/story`, String(stories.length))
  ahead += 24 * 3_600_000
  // More may be due than are asked at once.
  for (let round = 0; round < 3; round++) await reconciler.step()
  storage.close()
}

/** The same store, with a tick behind each write. */
function ticking<Store extends object>(store: Store, tick: () => void): Store {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        const result = await (value as (...given: unknown[]) => Promise<unknown>)(...args)
        tick()
        return result
      }
    },
  })
}
