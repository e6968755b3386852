import { fieldsOf, isCount, isFields, isText, listOf, type Fields } from '../../json/fields'
import { hostedTool } from '../hosted-tools'
import { integerSchema as whole, objectSchema as object, textSchema as text } from '../tool-schema'

/*
 * Tools that clients run and that have a type in place of a schema: vendors of other formats are offered a
 * function, and its calls come back as the items that the client waits for.
 * Sources: openai/openai-node 7.59.0, `src/resources/responses/responses.ts` (`Tool`, `ResponseInputItem`,
 * `ResponseOutputItem`); developers.openai.com/api/docs, "Apply patch", "Shell", "Local shell" and "Computer
 * use", November 2026.
 */

/** How the calls of such a tool look to clients and to models. */
interface CallForm {
  /** Name of the function. */
  readonly name: string
  /** Of the ids of its items. */
  readonly prefix: string
  /** Type of its item. */
  readonly item: string
  describe(tool: Fields): string
  readonly schema: Fields
  /** Members of the item by the arguments of a call, whatever a model wrote into these. */
  members(input: Fields): Fields
  /** Arguments of a call by its item. */
  input(item: Fields): Fields
}

const list = (items: Fields, description: string): Fields => ({ type: 'array', items, description })
const strings = (description: string): Fields => list({ type: 'string' }, description)

const textsIn = (value: unknown): readonly string[] => listOf(value).filter(isText)

const localShell: CallForm = {
  name: 'local_shell',
  prefix: 'lsh',
  item: 'local_shell_call',
  describe: () => 'Runs a program on the computer of the user, and tells what it prints.',
  schema: object(
    {
      command: strings('The program and its arguments; a shell line as ["bash", "-lc", LINE].'),
      working_directory: text('Where to run it.'),
      timeout_ms: whole('After how many milliseconds to end it.'),
      env: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Variables of its environment.',
      },
      user: text('The user to run it as.'),
    },
    'command',
  ),
  members({ command, working_directory: folder, timeout_ms: limit, env, user }) {
    const action: Fields = {
      type: 'exec',
      command: isText(command) ? ['bash', '-lc', command] : textsIn(command),
      env: Object.fromEntries(Object.entries(fieldsOf(env)).filter(([, value]) => isText(value))),
    }
    if (isCount(limit)) action['timeout_ms'] = limit
    if (isText(user)) action['user'] = user
    if (isText(folder)) action['working_directory'] = folder
    return { action }
  },
  input: ({ action }) => withoutEmpty(fieldsOf(action), 'type'),
}

const shell: CallForm = {
  name: 'shell',
  prefix: 'sh',
  item: 'shell_call',
  describe({ environment }) {
    const skills = listOf(fieldsOf(environment)['skills'])
      .map(fieldsOf)
      .map(({ name, description, path }) => [name, description, path].filter(isText).join(' – '))
    const shown = skills.length === 0 ? [] : ['Skills, each in its folder:', ...skills]
    return ['Runs shell commands on the computer of the user.', ...shown].join('\n')
  },
  schema: object(
    {
      commands: strings('Shell lines, which may run beside each other.'),
      timeout_ms: whole('After how many milliseconds to end them.'),
      max_output_length: whole('How many characters of their output to tell.'),
    },
    'commands',
  ),
  members({ commands, timeout_ms: limit, max_output_length: most }) {
    const action = {
      commands: isText(commands) ? [commands] : textsIn(commands),
      timeout_ms: isCount(limit) ? limit : null,
      max_output_length: isCount(most) ? most : null,
    }
    return { action, environment: { type: 'local' } }
  },
  input: ({ action }) => withoutEmpty(fieldsOf(action)),
}

const operations = ['create_file', 'update_file', 'delete_file'] as const

const applyPatch: CallForm = {
  name: 'apply_patch',
  prefix: 'apc',
  item: 'apply_patch_call',
  describe: () =>
    'Creates, changes or deletes one file. The diff of a new file has all its lines, each behind a `+`. ' +
    'The diff of a change has one or more parts: a line `@@`, which may go on with the class or function ' +
    'that the part is in, then lines as they are behind a space, old lines behind a `-` and new lines ' +
    'behind a `+`, with three lines as they are before and after each change. It has no line numbers.',
  schema: object(
    {
      type: { type: 'string', enum: operations, description: 'What to do.' },
      path: text('Path of the file.'),
      diff: text('For `create_file` and `update_file`.'),
    },
    'type',
    'path',
  ),
  members({ type, path, diff }) {
    const known = operations.find((each) => each === type) ?? 'update_file'
    const patch = known === 'delete_file' ? {} : { diff: isText(diff) ? diff : '' }
    return { operation: { type: known, path: isText(path) ? path : '', ...patch } }
  },
  input: ({ operation }) => fieldsOf(operation),
}

const action = object(
  {
    type: {
      type: 'string',
      enum: [
        'click',
        'double_click',
        'drag',
        'keypress',
        'move',
        'screenshot',
        'scroll',
        'type',
        'wait',
      ],
    },
    x: whole('Pixels from the left, for `click`, `double_click`, `move` and `scroll`.'),
    y: whole('Pixels from the top, as `x`.'),
    button: { type: 'string', enum: ['left', 'right', 'wheel', 'back', 'forward'] },
    keys: strings('For `keypress`: the keys. For others: keys to hold meanwhile.'),
    path: list(
      object({ x: whole('Pixels from the left.'), y: whole('Pixels from the top.') }, 'x', 'y'),
      'For `drag`: the points of the way.',
    ),
    scroll_x: whole('For `scroll`: how far to the right.'),
    scroll_y: whole('For `scroll`: how far down.'),
    text: text('For `type`: the text.'),
  },
  'type',
)

/** Members that an action must have, whatever the model left out. */
const needed: ReadonlyMap<unknown, Fields> = new Map<unknown, Fields>([
  ['click', { button: 'left' }],
  ['double_click', { keys: null }],
  ['scroll', { scroll_x: 0, scroll_y: 0 }],
])

const actionsIn = (value: unknown): readonly Fields[] =>
  listOf(value)
    .filter(isFields)
    .filter(({ type }) => isText(type))
    .map((each) => ({ ...needed.get(each['type']), ...each }))

/** A model that had one action to do may write it without a list. */
const actionsOf = ({ actions, action: only, ...flat }: Fields): readonly Fields[] =>
  actionsIn(Array.isArray(actions) ? actions : isFields(only) ? [only] : [flat])

const screen =
  'Uses a computer by its screen, mouse and keyboard; each call is answered by a screenshot.'

const computer: CallForm = {
  name: 'computer',
  prefix: 'cu',
  item: 'computer_call',
  describe: () => screen,
  schema: object({ actions: list(action, 'What to do, in order.') }, 'actions'),
  members: (input) => ({ actions: actionsOf(input), pending_safety_checks: [] }),
  input: ({ actions, action: only }) =>
    Array.isArray(actions) ? { actions } : { action: fieldsOf(only) },
}

const computerPreview: CallForm = {
  ...computer,
  describe: ({ display_width: width, display_height: height, environment }) =>
    [
      screen,
      ...(isCount(width) && isCount(height)
        ? [`It is ${width} pixels wide and ${height} high.`]
        : []),
      ...(isText(environment) ? [`It is of the kind ${environment}.`] : []),
    ].join(' '),
  schema: object({ action }, 'action'),
  members(input) {
    const [first] = actionsOf(input)
    return { ...(first === undefined ? {} : { action: first }), pending_safety_checks: [] }
  },
}

/** Forms by the types of tools. */
const forms = {
  local_shell: localShell,
  shell,
  apply_patch: applyPatch,
  computer,
  computer_use_preview: computerPreview,
} as const

/** Type of a tool whose calls have a form of their own. */
export type FormKind = keyof typeof forms

const isFormKind = (type: unknown): type is FormKind =>
  typeof type === 'string' && Object.hasOwn(forms, type)

export const formOf = (kind: FormKind): CallForm => forms[kind]

/** The form of a tool's calls by its definition; null where it has a schema, or runs at the vendor. */
export const formKindOf = (tool: Fields): FormKind | null =>
  isFormKind(tool['type']) && hostedTool(tool) === null ? tool['type'] : null

/** Names of the function by the types of a tool choice (`ToolChoiceTypes`). */
export const chosenForm = (type: unknown): string | null => {
  if (type === 'computer_use') return computer.name
  return isFormKind(type) ? forms[type].name : null
}

const byItem: ReadonlyMap<unknown, CallForm> = new Map(
  Object.values(forms).map((form) => [form.item, form]),
)

/** The form of a call by the type of its item. */
export const formOfItem = (type: unknown): CallForm | null => byItem.get(type) ?? null

const withoutEmpty = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== null && value !== undefined && !names.includes(name),
    ),
  )
