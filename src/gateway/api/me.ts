import { answerAuthenticated } from '../call/authenticated'
import type { Caller } from '../../domain/caller'
import { unixSeconds } from '../../domain/clock'
import { nanoUsd, plus, showUsd, type NanoUsd } from '../../domain/money'
import type { CallerCaps, CapState } from '../../ledger/caps'
import { keyedErrors, keyedHeaders } from './reference/doc'
import { AccountReply } from './reference/schemas'
import { refuseQuery } from './query'
import type { ApiRoute, RouteParts } from './route'

/** The account behind the key, and what the key may. */
export const me: ApiRoute = {
  method: 'GET',
  path: '/v1/me',
  doc: {
    group: 'Account',
    summary: 'Balance and limits of the calling key.',
    description:
      'The one request that a suspended account is answered too: `status` says so. `caps` are what may be spent, and what is left of it.',
    keyed: true,
    answers: [
      {
        status: 200,
        description: 'The account, its project and the key.',
        headers: keyedHeaders,
        content: { 'application/json': { schema: AccountReply } },
      },
    ],
    errors: [...keyedErrors.filter((code) => code !== 'account_suspended'), 'invalid_field'],
  },
  serve: (parts, inbound) =>
    answerAuthenticated(
      parts,
      inbound,
      (caller) => {
        refuseQuery(inbound)
        return accountOf(parts, caller, inbound.address)
      },
      { accounts: 'any' },
    ),
}

async function accountOf(
  { clock, ledger, limits, settings }: RouteParts,
  caller: Caller,
  address: string,
) {
  const { account, project, key } = caller
  const { balance, held, available } = await ledger.funds(account.id)
  const caps = await ledger.caps(caller, clock.now())
  const spent = await ledger.spentByKey(key.id)
  const { limit } = limits.allowance(caller, address)
  return {
    object: 'account',
    balance: {
      usd: showUsd(balance),
      usd_display: display(balance),
      // Ours: what running calls have set aside, and what is left beside it.
      held_usd: showUsd(held),
      available_usd: showUsd(available),
    },
    status: account.status,
    verified: account.verified,
    project: { id: project.id, name: project.name },
    key: {
      name: key.name,
      prefix: key.prefix,
      // Both are never null, by the specification: where nobody set one, it is what holds all the same.
      rpm_limit: limit,
      spend_limit_usd: showUsd(
        key.spendLimit ??
          narrowestOf(caps, settings.serviceDayCapacity) ??
          plus(spent, nanoUsd(Math.max(0, available))),
      ),
      spent_usd: showUsd(spent),
      expires_at: key.expiresAt === null ? null : unixSeconds(key.expiresAt),
    },
    limits: { concurrency: account.concurrency, max_request_kb: account.maxRequestKb },
    // Ours: what may be spent, by the names that notices have.
    caps: {
      key_spend_limit: capView(caps.key),
      project_monthly_budget: capView(caps.projectMonth),
      account_daily_cap: capView(caps.accountDay),
      preverification_ceiling: capView(caps.verification),
    },
  }
}

/** The limit that binds a key without one of its own: the lowest of its project, its account and the service; null for none. */
const narrowestOf = (
  { projectMonth, accountDay, verification }: CallerCaps,
  serviceDay: NanoUsd | null,
): NanoUsd | null =>
  [projectMonth, accountDay, verification]
    .map((cap) => cap?.limit ?? null)
    .reduce(
      (least, each) => (least === null || (each !== null && each < least) ? each : least),
      serviceDay,
    )

const capView = (cap: CapState | null) =>
  cap === null
    ? null
    : {
        limit_usd: showUsd(cap.limit),
        spent_usd: showUsd(cap.spent),
        left_usd: showUsd(cap.left),
        resets_at: cap.resets === null ? null : unixSeconds(cap.resets),
      }

const nanosPerCent = 10_000_000

/** Dollars and cents for a person; rounded towards nothing, so that it never shows more than there is. */
function display(amount: NanoUsd): string {
  const cents = Math.trunc(amount / nanosPerCent)
  const whole = Math.trunc(Math.abs(cents) / 100).toLocaleString('en-US')
  const rest = String(Math.abs(cents) % 100).padStart(2, '0')
  return `${cents < 0 ? '-' : ''}$${whole}.${rest}`
}
