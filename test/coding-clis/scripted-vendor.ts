import { fieldsOf } from '../../src/gateway/json/fields'
import type { Said } from '../matrix/scenarios'
import { vendorReplies, type VendorKind } from '../matrix/vendor-replies'
import { openStandIn, streamReply, type SeenRequest, type StandIn } from '../support/stand-in'

/** A tool that an agent is told to call, with what it is called with. */
export type Step = readonly [tool: string, input: object]

const nothing: Said = { text: '', reasoning: '', calls: [], finish: 'stop' }
export const lastWords = 'All done.'

/** Where the output of a tool stands in a request of each format. */
const outputMarks: Readonly<Record<VendorKind, RegExp>> = {
  openai: /"role":"tool"/g,
  responses: /"type":"function_call_output"/g,
  anthropic: /"type":"tool_result"/g,
  google: /"functionResponse":/g,
}

/**
 * A vendor of one format whose model works through the steps, one a turn, and then says it is done.
 * What it is asked besides (names of conversations, what a prompt is about) is answered in a word.
 */
export function openScriptedVendor(kind: VendorKind, steps: readonly Step[]): StandIn {
  const { events, whole, streams } = vendorReplies[kind]
  return openStandIn((seen) => {
    const asked = JSON.stringify(seen.body)
    const done = asked.match(outputMarks[kind])?.length ?? 0
    const step = steps.every(([tool]) => offers(seen, tool)) ? steps[done] : undefined
    const says: Said =
      step === undefined
        ? { ...nothing, text: lastWords }
        : {
            text: 'Let me see.',
            reasoning: '',
            calls: [{ name: step[0], arguments: step[1] }],
            finish: 'tool_calls',
          }
    const scenario = { name: 'a turn', question: { text: '' }, says }
    // Every call of a conversation has an id of its own; the recorded ones are always the same.
    const fresh = (text: string) => text.replaceAll(/(call_|toolu_)0/g, `$1${done}0`)
    return streams(seen)
      ? streamReply(events(scenario).map(fresh))
      : Response.json(JSON.parse(fresh(JSON.stringify(whole(scenario)))))
  })
}

const offers = ({ body }: SeenRequest, tool: string): boolean =>
  JSON.stringify(fieldsOf(body)['tools'] ?? []).includes(`"name":"${tool}"`)
