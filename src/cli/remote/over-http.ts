import type { Operation } from '../../business/operations/operation'
import { isFields } from '../../gateway/json/fields'

/** Input of an operation, as it is sent. */
export interface Sent {
  readonly params: Readonly<Record<string, string>>
  /** A name of several values stands for each of them. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly body: Readonly<Record<string, unknown>>
  /** Files that are sent in the place of a body. */
  readonly upload?: AsyncIterable<Uint8Array>
}

/** A gateway elsewhere, and the key of the operator who asks. */
export interface Elsewhere {
  readonly origin: string
  readonly key: string
}

/** A refusal in the words and with the code of the gateway. */
export class RefusedElsewhere extends Error {
  constructor(
    message: string,
    readonly code: string | null,
    /** What the message is made of; none from an earlier release. */
    readonly facts: object | null,
  ) {
    super(message)
  }
}

/** Runs an operation at a gateway. @throws RefusedElsewhere | RangeError where it does not answer */
export async function callOperation(
  { origin, key }: Elsewhere,
  { method, path, body: takes }: Operation,
  { params, query, body, upload }: Sent,
): Promise<unknown> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) search.append(name, each)
  const hasBody = Object.keys(takes.properties).length > 0
  const response = await fetch(
    `${origin}/admin/v1${filled}${search.size > 0 ? `?${search.toString()}` : ''}`,
    {
      method,
      // Commands speak English, whatever the gateway tells others.
      headers: { authorization: `Bearer ${key}`, 'accept-language': 'en' },
      redirect: 'manual',
      ...(hasBody ? { body: JSON.stringify(body) } : {}),
      ...(upload === undefined ? {} : { body: streamOf(upload) }),
    },
  ).catch((cause: unknown) => {
    throw new RangeError(`the gateway at ${origin} does not answer`, { cause })
  })
  const told: unknown = await response.json().catch(() => null)
  if (response.ok) return told
  const error = isFields(told) ? told['error'] : null
  const { message, code, facts } = isFields(error) ? error : {}
  if (typeof message !== 'string')
    throw new RangeError(`that address answered ${response.status}, and not as a gateway does`)
  throw new RefusedElsewhere(
    message,
    typeof code === 'string' ? code : null,
    isFields(facts) ? facts : null,
  )
}

/** Pieces as they are wanted. */
function streamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const left = pieces[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const next = await left.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
    cancel: async () => void (await left.return?.()),
  })
}
