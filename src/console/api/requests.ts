import { Elysia, t } from 'elysia'
import type { Ms } from '../../domain/clock'
import type { KeyId, ProjectId, RequestId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import type { RecordedCall } from '../../domain/reports/report'
import { recordedStatus } from '../../errors/codes'
import { requestView } from '../../gateway/metering/request-view'
import { Refusal } from '../refusal'
import { max, ModelName, OptionalId } from './fields'
import type { ConsoleParts } from './parts'

const Listing = t.Object({
  /** Milliseconds since 1970. */
  from: t.Optional(t.Integer({ minimum: 0 })),
  to: t.Optional(t.Integer({ minimum: 0 })),
  project: OptionalId,
  key: OptionalId,
  model: ModelName,
  status: t.Optional(
    t.Union([
      t.Literal('pending'),
      t.Literal('success'),
      t.Literal('error'),
      t.Literal('cancelled'),
    ]),
  ),
  before: t.Optional(t.String({ maxLength: 40 })),
  max,
})

/** `/app/api/requests`: calls of the account; one of them with its receipt. */
export const requestsApi = (parts: ConsoleParts) =>
  new Elysia({ prefix: '/requests', normalize: false })
    .get(
      '/',
      async ({ request, query }) => {
        const who = await parts.customer(request)
        const { project = null, key = null, model = null, status = null, before = null } = query
        const now = parts.clock.now()
        const created = (await parts.directory(who).findAccount(who.account))?.created ?? now
        await parts.ledger.flush()
        const { calls, next } = await parts.reader.calls({
          account: who.account,
          project: project as ProjectId | null,
          key: key as KeyId | null,
          model,
          status,
          before: before as RequestId | null,
          max: query.max,
          // Nothing of an account is older than it is, and all that is older need not be looked at.
          from: Math.max(query.from ?? 0, created) as Ms,
          to: (query.to ?? now + 1) as Ms,
        })
        return { data: calls.map((call) => callView(call)), next }
      },
      { query: Listing },
    )
    .get('/:id', async ({ request, params }) => {
      const { account } = await parts.customer(request)
      const call = await find(parts, params.id)
      // Somebody else's is not there.
      if (call === null || call.account !== account) throw new Refusal(404, 'request_not_found')
      const [keys, projects] = await Promise.all([
        parts.reader.keyNames(account, [call.key]),
        parts.reader.projectNames(account, [call.project]),
      ])
      const { error } = call
      return {
        ...requestView(call, await parts.cardOf(call.model, call.cardVersion), parts.clock.now()),
        created: call.created,
        key: { id: call.key, name: keys.get(call.key) ?? String(call.key) },
        project: {
          id: call.project,
          name: projects.get(call.project) ?? String(call.project),
        },
        error: error === null ? null : { code: error, status: recordedStatus(error) },
      }
    })

/** By its id, or by that of its answer in another format; it may be on its way into the database. */
async function find({ reports, ledger }: ConsoleParts, id: string): Promise<RecordedCall | null> {
  await ledger.flush()
  return reports.call(id.replace(/^(?:msg|resp)_/, 'req_'), null)
}

const callView = (call: RecordedCall) => ({
  id: call.id as string,
  created: call.created as number,
  model: call.model,
  endpoint: call.endpoint,
  status: call.status,
  error: call.error,
  key: call.key as number,
  project: call.project as number,
  input_tokens: call.inputTokens,
  output_tokens: call.outputTokens,
  usd: showUsd(call.cost),
  refunded_usd: showUsd(call.refunded),
  latency_ms: call.latencyMs,
})
