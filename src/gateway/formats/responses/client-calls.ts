import { fieldsOf, isFields, isText, listOf, type Fields } from '../../json/fields'
import { textOf, wholeArguments } from '../chat/wire'
import { formOfItem } from './client-tools'
import { chatName, toolSearch } from './parse-tools'

/** A call of a tool in an input, as chat knows it. */
interface ChatCall {
  readonly name: string
  /** JSON text. */
  readonly arguments: string
}

/** The call that an item is (openai/openai-openapi `InputItem`, 2.3.0 of 2026-08-21); null for none. */
export function toolCallIn(item: Fields): ChatCall | null {
  switch (item['type']) {
    case 'function_call':
      return { name: chatName(item), arguments: wholeArguments(item['arguments']) }
    case 'custom_tool_call':
      return {
        name: chatName(item),
        arguments: JSON.stringify({ input: textOf(item['input']) ?? '' }),
      }
    case 'tool_search_call':
      return { name: toolSearch, arguments: wholeArguments(item['arguments']) }
  }
  const form = formOfItem(item['type'])
  return form === null ? null : { name: form.name, arguments: JSON.stringify(form.input(item)) }
}

/** What came of a call: a text, or parts as those of a message. */
export interface CallOutput {
  readonly call_id: unknown
  readonly output: unknown
}

/**
 * The output of a call that an item is; null for none.
 * @param callOf the id of a call by that of its item
 */
export function toolOutputIn(item: Fields, callOf: (id: unknown) => unknown): CallOutput | null {
  const { type, output, call_id: call } = item
  switch (type) {
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { call_id: call, output }
    case 'tool_search_output':
      return { call_id: call, output: toolsIn(item) }
    case 'local_shell_call_output':
      // `id` is documented as that of the call.
      return { call_id: call ?? callOf(item['id']), output }
    case 'shell_call_output':
      return { call_id: call, output: isText(output) ? output : printed(output) }
    case 'apply_patch_call_output': {
      const told = [item['status'], output].filter(isText)
      return { call_id: call, output: told.join('\n') }
    }
    case 'computer_call_output': {
      const { image_url: screen } = fieldsOf(output)
      const picture = { type: 'input_image', image_url: screen }
      return { call_id: call, output: [{ type: 'input_text', text: 'Screenshot:' }, picture] }
    }
  }
  return null
}

/** Of several commands what each of them printed, and how it ended. */
const printed = (output: unknown): string =>
  listOf(output)
    .map(fieldsOf)
    .map(({ stdout, stderr, outcome }) => {
      const { type, exit_code: code } = fieldsOf(outcome)
      const errors = isText(stderr) ? [`stderr:\n${stderr}`] : []
      const end =
        type === 'timeout'
          ? 'timed out'
          : `exit code ${typeof code === 'number' ? code : 'unknown'}`
      return [...(isText(stdout) ? [stdout] : []), ...errors, end].join('\n')
    })
    .join('\n\n')

/** The tools themselves are offered from then on. */
function toolsIn({ tools }: Fields): string {
  const names = listOf(tools)
    .filter(isFields)
    .flatMap(({ type, name, tools: inner }) =>
      type === 'namespace'
        ? listOf(inner).map((each) => chatName({ ...fieldsOf(each), namespace: name }))
        : [String(name)],
    )
  return names.length > 0 ? `loaded: ${names.join(', ')}` : 'nothing found'
}
