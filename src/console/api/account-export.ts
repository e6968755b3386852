import { dayNumber, type Ms } from '../../domain/clock'
import { openDayIn } from '../../domain/zone-days'
import { wired } from '../../domain/fields/field'
import type { KeyId, ProjectId, RequestId } from '../../domain/ids'
import { keyFields } from '../../domain/fields/key-fields'
import { showUsd } from '../../domain/money'
import { projectFields } from '../../domain/fields/project-fields'
import type { RecordedCall } from '../../domain/reports/report'
import type { StatementLine, StatementPage } from '../../domain/reports/statement'
import { showPhone } from '../../domain/phone'
import type { Customer } from '../customer'
import { usdText } from './fields'
import type { ConsoleParts } from './parts'

type Pages<T> = AsyncGenerator<readonly T[]>

const maxInRead = 500
const yearDays = 366

/**
 * Everything that is kept of an account, as one JSON document, read while it is sent. Neither secrets
 * of keys, which nobody has, nor national codes are in it.
 */
export function exportStream(parts: ConsoleParts, who: Customer): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const pieces = piecesOf(parts, who)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await pieces.next()
      if (next.done === true) return controller.close()
      controller.enqueue(encoder.encode(next.value))
    },
    cancel: async () => void (await pieces.return(undefined)),
  })
}

async function* piecesOf(parts: ConsoleParts, who: Customer): AsyncGenerator<string, void> {
  await parts.ledger.flush()
  const head = { object: 'account_export', created: iso(parts.clock.now()) }
  yield `${JSON.stringify(head).slice(0, -1)},\n"account":${JSON.stringify(await accountOf(parts, who))}`
  yield `,\n"people":${JSON.stringify(await peopleOf(parts, who))}`
  yield `,\n"verification":${JSON.stringify(await verificationOf(parts, who))}`
  yield* listOf('projects', projectPages(parts, who))
  yield* listOf('keys', keyPages(parts, who, false))
  yield* listOf('revoked_keys', keyPages(parts, who, true))
  yield* listOf('payments', paymentPages(parts, who))
  yield* listOf('statement', statementPages(parts, who))
  yield* listOf('requests', callPages(parts, who))
  yield '\n}\n'
}

async function* listOf(name: string, pages: Pages<object>): AsyncGenerator<string, void> {
  yield `,\n"${name}":[`
  let isFirst = true
  for await (const page of pages) {
    const lines = page.map((each) => JSON.stringify(each)).join(',\n')
    if (lines === '') continue
    yield `${isFirst ? '\n' : ',\n'}${lines}`
    isFirst = false
  }
  yield ']'
}

const iso = (time: number): string => new Date(time).toISOString()

async function accountOf({ directory }: ConsoleParts, who: Customer) {
  const account = await directory(who).findAccount(who.account)
  return account === null
    ? null
    : {
        id: account.id,
        name: account.name,
        status: account.status,
        verified: account.verified,
        balance_usd: showUsd(account.balance),
        daily_cap_usd: usdText(account.dailyCap),
        notice_floor_usd: usdText(account.noticeFloor),
        created: iso(account.created),
      }
}

async function peopleOf({ members, holderSettings }: ConsoleParts, who: Customer) {
  const all = await members.list(who)
  return await Promise.all(
    all.map(async ({ person, role, phone, since }) => ({
      id: person,
      role,
      phone: phone === null ? null : showPhone(phone),
      // Others' addresses are their own.
      email: person === who.person ? (await holderSettings.find(person)).email : undefined,
      since: iso(since),
    })),
  )
}

async function verificationOf({ verifications }: ConsoleParts, { account }: Customer) {
  const found = await verifications.find(account)
  return found === null
    ? null
    : {
        state: found.state,
        first_name: found.identity?.firstName ?? null,
        last_name: found.identity?.lastName ?? null,
        birth_date: found.identity?.birthDate ?? null,
        submitted: iso(found.submitted),
        decided: found.decided === null ? null : iso(found.decided),
      }
}

async function* projectPages({ reader }: ConsoleParts, { account }: Customer): Pages<object> {
  for (let after: ProjectId | null = null; ;) {
    const page = await reader.projects({ account, text: null, after, max: maxInRead })
    yield page.map((project) => ({ id: project.id, ...wired(projectFields, project) }))
    const last = page.at(-1)
    if (last === undefined || page.length < maxInRead) return
    after = last.id
  }
}

async function* keyPages(
  { reader }: ConsoleParts,
  { account }: Customer,
  revoked: boolean,
): Pages<object> {
  for (let before: KeyId | null = null; ;) {
    const page = await reader.keys({ account, project: null, before, revoked, max: maxInRead })
    yield page.map((key) => {
      const { expires_at: expires, ...fields } = wired(keyFields, key)
      const { id, project, prefix, state, created } = key
      return { id, project, prefix, state, ...fields, expires, created: iso(created) }
    })
    const last = page.at(-1)
    if (last === undefined || page.length < maxInRead) return
    before = last.id
  }
}

async function* paymentPages({ payments }: ConsoleParts, { account }: Customer): Pages<object> {
  const all = await payments.list({ account, most: Number.MAX_SAFE_INTEGER })
  yield all.map(({ id, coins, rate, amount, reference, created }) => ({
    id,
    coins,
    rate,
    usd: showUsd(amount),
    reference,
    created: iso(created),
  }))
}

const lineView = ({ kind, at, amount, balance, reference, note }: StatementLine) => ({
  kind,
  at: iso(at),
  usd: showUsd(amount),
  balance_usd: showUsd(balance),
  reference,
  note,
})

/** A year at a time: a longer range may take longer than a read may last. */
async function* statementPages(parts: ConsoleParts, who: Customer): Pages<object> {
  const { reader, clock, settings } = parts
  const today = openDayIn(settings.serviceZone)(clock.now())
  // Its first day by any zone.
  const firstDay = dayNumber(await createdAt(parts, who)) - 1
  for (let toDay = today; toDay >= firstDay; toDay -= yearDays) {
    const fromDay = Math.max(firstDay, toDay - yearDays + 1)
    for (let before: string | null = null; ;) {
      const query = { account: who.account, fromDay, toDay, by: 'day' as const }
      const page: StatementPage = await reader.statement({ ...query, before, max: maxInRead })
      yield page.lines.map(lineView)
      if (page.next === null) break
      before = page.next
    }
  }
}

async function createdAt({ directory, clock }: ConsoleParts, who: Customer): Promise<Ms> {
  return (await directory(who).findAccount(who.account))?.created ?? clock.now()
}

const callView = (call: RecordedCall) => ({
  id: call.id,
  project: call.project,
  key: call.key,
  model: call.model,
  endpoint: call.endpoint,
  status: call.status,
  address: call.address,
  usd: showUsd(call.cost),
  created: iso(call.created),
})

async function* callPages(parts: ConsoleParts, who: Customer): Pages<object> {
  const span = { from: await createdAt(parts, who), to: (parts.clock.now() + 1) as Ms }
  const all = { account: who.account, project: null, key: null, model: null, status: null } as const
  for (let before: RequestId | null = null; ;) {
    const page: Awaited<ReturnType<typeof parts.reader.calls>> = await parts.reader.calls({
      ...all,
      ...span,
      before,
      max: maxInRead,
    })
    yield page.calls.map(callView)
    if (page.next === null) return
    before = page.next as RequestId
  }
}
