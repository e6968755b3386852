import { answerAuthenticated } from '../call/authenticated'
import { findCall } from '../call/earlier-answer'
import type { Caller } from '../../domain/caller'
import type { RecordedCall } from '../../domain/reports/report'
import { recordedType } from '../../errors/codes'
import { GatewayError } from '../../errors/gateway-error'
import { requestView } from '../metering/request-view'
import { keyedErrors, keyedHeaders } from './reference/doc'
import { RequestReply } from './reference/schemas'
import { refuseQuery } from './query'
import type { ApiRoute, RouteParts } from './route'

const listPath = '/v1/requests'

/** One call of the key's project, with the receipt of its charge. */
export const request: ApiRoute = {
  method: 'GET',
  path: `${listPath}/*`,
  idPattern: /^[^/]+$/,
  doc: {
    group: 'Account',
    summary: 'How one call ended, with the receipt of its charge.',
    keyed: true,
    rest: { name: 'id', description: 'the `id` of an answer, which is its `X-Request-Id` too' },
    answers: [
      {
        status: 200,
        description: 'The record: what it used and cost, never what was said.',
        headers: keyedHeaders,
        content: { 'application/json': { schema: RequestReply } },
      },
    ],
    errors: [...keyedErrors, 'invalid_field', 'request_not_found'],
  },
  serve: (parts, inbound) =>
    answerAuthenticated(parts, inbound, async (caller) => {
      refuseQuery(inbound)
      return statusOf(parts, await find(parts, caller, inbound.path.slice(listPath.length + 1)))
    }),
}

/** @throws request_not_found */
async function find(parts: RouteParts, { project }: Caller, id: string): Promise<RecordedCall> {
  const call = await findCall(parts, id, project.id)
  if (call === null) throw new GatewayError('request_not_found', { id }, { param: 'id' })
  return call
}

async function statusOf({ clock, cardOf }: RouteParts, call: RecordedCall) {
  const { error } = call
  return {
    ...requestView(call, await cardOf(call.model, call.cardVersion), clock.now()),
    error: error === null ? null : { type: recordedType(error), code: error },
  }
}
