import { isCount, isFields, isText, type Fields } from '../../json/fields'
import { integerSchema as whole, objectSchema as object, textSchema as text } from '../tool-schema'

/*
 * Tools that clients run by schemas which Anthropic publishes and its own models know: requests name only
 * their types, and vendors of other formats are given the schema.
 * Sources: platform.claude.com/docs, "Bash tool", "Text editor tool", "Memory tool" and "Computer use tool",
 * November 2026; types and names from anthropics/anthropic-sdk-typescript 1.14.0
 * (`src/resources/beta/messages/messages.ts`, `BetaToolUnion`). Toolsets (`computer_toolset_20260801`,
 * `browser_toolset_20260801`) are none of them: which of their members are offered by default is not published.
 */

interface PublishedTool {
  /** Under which Anthropic's models call it. */
  readonly name: string
  describe(tool: Fields): string
  schema(tool: Fields): Fields
}

const oneOf = (values: readonly string[], description: string): Fields => ({
  type: 'string',
  enum: values,
  description,
})
const integers = (count: number, description: string): Fields => ({
  type: 'array',
  items: { type: 'integer' },
  minItems: count,
  maxItems: count,
  description,
})

const bash: PublishedTool = {
  name: 'bash',
  describe: () =>
    'Runs commands in a bash session that lasts from call to call, and tells what they print.',
  schema: () =>
    object({
      command: text('The command to run. Needed unless the session is restarted.'),
      restart: { type: 'boolean', description: 'Whether to restart the session.' },
    }),
}

const path = text('Path of the file or folder.')
const replaced = {
  old_str: text(
    'For `str_replace`: the text to replace, which must stand in the file exactly once.',
  ),
  file_text: text('For `create`: the content of the new file.'),
  insert_line: whole('For `insert`: the line after which to insert; 0 for the beginning.'),
  view_range: integers(2, 'For `view` of a file: first and last line, from 1; -1 for the end.'),
}

/** @param inserted the member that holds the text of an `insert` */
function editor(name: string, commands: readonly string[], inserted: string): PublishedTool {
  const both = inserted === 'new_str'
  return {
    name,
    describe({ max_characters: most }) {
      const cut = isCount(most) ? ` A view ends after ${most} characters.` : ''
      return `Views, creates and edits text files by the command that is given.${cut}`
    },
    schema: () =>
      object(
        {
          command: oneOf(commands, 'What to do.'),
          path,
          ...replaced,
          new_str: text(
            both
              ? 'For `str_replace`: the new text. For `insert`: the text to insert.'
              : 'For `str_replace`: the new text.',
          ),
          ...(both ? {} : { [inserted]: text('For `insert`: the text to insert.') }),
        },
        'command',
        'path',
      ),
  }
}

const edits = ['view', 'create', 'str_replace', 'insert'] as const
const oldEditor = editor('str_replace_editor', [...edits, 'undo_edit'], 'new_str')

const memory: PublishedTool = {
  name: 'memory',
  describe: () =>
    'Keeps notes from one conversation to the next as files in the folder `/memories`. ' +
    'View that folder before anything else, to see what was noted earlier.',
  schema: () =>
    object(
      {
        command: oneOf([...edits, 'delete', 'rename'], 'What to do.'),
        path: text('Path below `/memories`. Needed by every command but `rename`.'),
        ...replaced,
        new_str: text('For `str_replace`: the new text.'),
        insert_text: text('For `insert`: the text to insert.'),
        old_path: text('For `rename`: the present path.'),
        new_path: text('For `rename`: the new path.'),
      },
      'command',
    ),
}

const firstActions = [
  'key',
  'type',
  'mouse_move',
  'left_click',
  'left_click_drag',
  'right_click',
  'middle_click',
  'double_click',
  'screenshot',
  'cursor_position',
] as const
const laterActions = [
  ...firstActions,
  'left_mouse_down',
  'left_mouse_up',
  'scroll',
  'hold_key',
  'wait',
  'triple_click',
] as const

const firstMembers: Fields = {
  coordinate: integers(
    2,
    'x and y in pixels from the upper left corner: where to act, or drag to.',
  ),
  text: text(
    'For `type`: the text. For `key` and `hold_key`: keys in the syntax of xdotool, as `ctrl+s`. ' +
      'For clicks and `scroll`: keys to hold meanwhile.',
  ),
}
const laterMembers: Fields = {
  ...firstMembers,
  start_coordinate: integers(2, 'For `left_click_drag`: where to begin.'),
  scroll_direction: oneOf(['up', 'down', 'left', 'right'], 'For `scroll`.'),
  scroll_amount: whole('For `scroll`: how many clicks of the wheel.'),
  duration: { type: 'number', description: 'For `hold_key` and `wait`: seconds.' },
}
const region = integers(4, 'For `zoom`: x and y of the upper left and the lower right corner.')

const pixels = (count: unknown): string => `${isCount(count) ? count : 'some'} pixels`

const computer = (
  actions: readonly string[],
  members: Fields,
  zooms: (tool: Fields) => boolean = () => false,
): PublishedTool => ({
  name: 'computer',
  describe({ display_width_px: width, display_height_px: height, display_number: display }) {
    const number = isCount(display) ? ` It is display number ${display}.` : ''
    return (
      'Uses a computer by its screen, mouse and keyboard. Take a screenshot to see what an action did. ' +
      `The screen is ${pixels(width)} wide and ${pixels(height)} high.${number}`
    )
  },
  schema: (tool) =>
    zooms(tool)
      ? object({ action: oneOf([...actions, 'zoom'], 'What to do.'), ...members, region }, 'action')
      : object({ action: oneOf(actions, 'What to do.'), ...members }, 'action'),
})

const published: ReadonlyMap<unknown, PublishedTool> = new Map([
  ['bash_20241022', bash],
  ['bash_20250124', bash],
  ['text_editor_20241022', oldEditor],
  ['text_editor_20250124', oldEditor],
  ['text_editor_20250429', editor('str_replace_based_edit_tool', edits, 'new_str')],
  ['text_editor_20250728', editor('str_replace_based_edit_tool', edits, 'insert_text')],
  ['memory_20250818', memory],
  ['computer_20241022', computer(firstActions, firstMembers)],
  ['computer_20250124', computer(laterActions, laterMembers)],
  [
    'computer_20251124',
    computer(laterActions, laterMembers, ({ enable_zoom: zooms }) => zooms === true),
  ],
])

/**
 * The definition of a tool that the client runs: its own, or the published one of its type.
 * @returns null for a tool that the vendor runs, and for one whose schema is not published
 */
export function definitionOf(tool: Fields): Fields | null {
  const { type, name } = tool
  if ((type ?? 'custom') === 'custom') return isFields(tool['input_schema']) ? tool : null
  const known = published.get(type)
  if (known === undefined) return null
  return {
    ...tool,
    name: isText(name) ? name : known.name,
    description: known.describe(tool),
    input_schema: known.schema(tool),
    // Its schema has members that only some commands need, which no strict vendor takes.
    strict: null,
  }
}
