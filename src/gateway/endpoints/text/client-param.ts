import { endpoints } from '../../catalogue/endpoints'
import type { EndpointName } from '../../../domain/model'
import { GatewayError } from '../../../errors/gateway-error'
import { chatMembers } from '../../formats/chat/members'
import { clientMember, type RequestMembers } from '../../formats/request-members'
import { unsupported } from '../../formats/schema-fault'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'

/** A translated request, in the client's words and in those of the middle. */
interface Translated {
  readonly endpoint: Exclude<EndpointName, 'realtime'>
  readonly members: RequestMembers
  readonly raw: Fields
  /** The chat body. */
  readonly body: Readonly<Fields>
}

/**
 * A refusal of a member of the chat body as one of the member that its client sent. Looked up only now: a request
 * that is not refused pays nothing for it.
 */
export function inClientWords(thrown: unknown, translated: Translated): unknown {
  if (!(thrown instanceof GatewayError) || thrown.param === null) return thrown
  // The client's own words are those of the chat body.
  if (translated.members === chatMembers) return thrown
  const param = clientParam(thrown.param, translated)
  if (param === thrown.param && translated.endpoint === 'chat') return thrown
  const facts = fieldsOf(thrown.facts)
  switch (thrown.code) {
    case 'endpoint_not_supported':
      return unsupported(String(facts['model']), endpoints[translated.endpoint].path, param)
    case 'invalid_field':
    case 'invalid_message':
      return new GatewayError(
        thrown.code,
        { field: param, expected: String(facts['expected']) },
        { param },
      )
  }
  return thrown
}

/** The client's path of what stands at a path of the chat body. */
function clientParam(param: string, { members, raw, body }: Translated): string {
  const [name = param] = param.split(/[.[]/)
  if (name === 'messages')
    return pathInMessages(param, raw, body) ?? ('input' in raw ? 'input' : param)
  return clientMember(members, name, raw) ?? (name in raw ? param : (homes.get(name) ?? param))
}

/** Members of the chat body that other formats have among theirs. */
const homes: ReadonlyMap<string, string> = new Map([['web_search_options', 'tools']])

/** Part or call of a message of the chat body, as refusals name it. */
const partPath = /^messages\[(\d+)\]\.(content|tool_calls)\[(\d+)\]/

/**
 * Where in the client's request a part or call comes from, by what it holds: its data or address, or its id.
 * @returns null where it cannot be found
 */
function pathInMessages(param: string, raw: Fields, body: Readonly<Fields>): string | null {
  const [, at, list, index] = partPath.exec(param) ?? []
  if (list === undefined) return null
  const message = fieldsOf(listOf(body['messages'])[Number(at)])
  const part = fieldsOf(listOf(message[list])[Number(index)])
  if (list === 'content') return pathTo(raw, (text) => holds(part, text))
  const id = pathTo(raw, (text, name) => text === part['id'] && callIds.has(name))
  return id?.replace(/[^.]+$/, id.endsWith('call_id') ? 'arguments' : 'input') ?? null
}

/** Members by which the formats name a call where it stands. */
const callIds: ReadonlySet<string> = new Set(['id', 'call_id'])

/** Shorter texts say nothing of where they come from: media types, roles. */
const minText = 12

/** Whether a part of the chat body was made of a text: a picture's data are the end of its `data:` URL. */
const holds = (part: Fields, text: string): boolean =>
  text.length >= minText &&
  Object.values(part).some((each) =>
    typeof each === 'string' ? each.endsWith(text) : isFields(each) && holds(each, text),
  )

/** Path of the first text of a value that is looked for. */
function pathTo(
  value: unknown,
  isFound: (text: string, name: string) => boolean,
  at = '',
  name = '',
): string | null {
  if (typeof value === 'string') return isFound(value, name) ? at : null
  const inner: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? listOf(value).map((each, index) => [`[${index}]`, each] as const)
    : Object.entries(fieldsOf(value))
  for (const [step, each] of inner) {
    const path = at === '' || step.startsWith('[') ? at + step : `${at}.${step}`
    const found = pathTo(each, isFound, path, step)
    if (found !== null) return found
  }
  return null
}
