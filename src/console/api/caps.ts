import { Elysia } from 'elysia'
import { verificationCeiling } from '../../domain/caller'
import { dayOf } from '../../domain/clock'
import { showUsd } from '../../domain/money'
import { shownRpm } from '../../gateway/identity/account-limits'
import { Refusal } from '../refusal'
import { usdText } from './fields'
import type { ConsoleParts } from './parts'

/** `GET /app/api/caps`: what an operator has set for the account as a whole, and how far it is. */
export const capsApi = ({ customer, directory, ledger, clock, settings }: ConsoleParts) =>
  new Elysia({ prefix: '/caps', normalize: false }).get('/', async ({ request }) => {
    const who = await customer(request)
    const account = await directory(who).findAccount(who.account)
    if (account === null) throw new Refusal(404, 'not_found')
    return {
      /** Null for none. */
      daily_cap_usd: usdText(account.dailyCap),
      /** On the UTC day that runs. */
      day_spent_usd: showUsd(await ledger.spentByAccountOn(account.id, dayOf(clock.now()))),
      /** Before identity is verified; null afterwards. */
      ceiling_usd: usdText(verificationCeiling(account, settings)),
      spent_usd: showUsd(await ledger.spentByAccount(account.id)),
      /** Of each key; null for none. */
      rpm_limit: shownRpm(account.requestsPerMinute),
      concurrency: account.concurrency,
      max_request_kb: account.maxRequestKb,
    }
  })
