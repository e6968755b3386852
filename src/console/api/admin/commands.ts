import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { checkInput } from '../../../admin/refusals/check-input'
import { readJson } from '../../../http/json-body'
import type { OperatorDesk } from '../../operator-parts'
import type { OpenedOperation } from '../operator/mount-operations'
import { adminPrefix, type Arrived } from './arrived'

const maxBodyBytes = 24 * 1024 * 1024

const Command = Type.Object(
  {
    args: Type.Array(Type.String({ maxLength: 20_000 }), { minItems: 1, maxItems: 200 }),
    stdin: Type.String({ maxLength: 1_000_000 }),
    files: Type.Record(Type.String({ maxLength: 4096 }), Type.String()),
  },
  { additionalProperties: false },
)

interface CommandMount {
  open(request: Request): Promise<OpenedOperation>
  arrived(request: Request): Arrived
}

/**
 * `POST /admin/v1/commands`: one command of the command line, for `chapar --remote`. What it says comes as
 * lines of JSON, `{"stdout": …}` and `{"stderr": …}`, and last `{"exit": 0}`.
 */
export const commandsApi = (desk: OperatorDesk, { open, arrived }: CommandMount) =>
  new Elysia({ normalize: false }).post(
    `${adminPrefix}/commands`,
    async ({ request }) => {
      const { parts, headers } = await open(request)
      const { value } = await readJson(request, maxBodyBytes)
      checkInput(Command, value)
      const { signal, exemptFromIdleTimeout } = arrived(request)
      const events = await desk.runCommand(parts.requester, value as never, signal)
      // It may say nothing for as long as it reads.
      exemptFromIdleTimeout(request, true)
      return new Response(linesOf(events), {
        headers: {
          ...headers,
          'content-type': 'application/x-ndjson',
          'cache-control': 'no-store',
        },
      })
    },
    { parse: 'none' },
  )

/** One event a line; whoever leaves ends the command. */
function linesOf(events: AsyncIterable<object>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const left = events[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const next = await left.next()
      if (next.done === true) return controller.close()
      controller.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`))
    },
    cancel: async () => void (await left.return?.()),
  })
}
