import { isMarked, someMarked } from '../../formats/chat/cache-marks'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import type { BodyEdit, ClientMark, NativeAbility, Target } from '../vendor'
import type { CacheMarkForm } from './dialects'
import { dialectOf } from './shape-request'

/** Where a mark stands: behind a part, behind what the assistant said, or elsewhere. */
type Place = 'part' | 'said' | 'other'

/** The members that a mark becomes; null where it is taken off. */
type Marking = (place: Place, marked: Fields) => Fields | null

/*
 * A lifetime goes to no vendor of this format: a write for an hour is dearer, and usage here has one count for all
 * writes.
 */
const control: Fields = { cache_control: { type: 'ephemeral' } }
const breakpoint: Fields = { prompt_cache_breakpoint: { mode: 'explicit' } }

/**
 * Whether a model takes `prompt_cache_breakpoint`: from gpt-5.6 on, where writes have a price; older ones keep
 * prompts unasked.
 * @see https://developers.openai.com/api/docs/guides/prompt-caching, November 2026
 */
export const takesBreakpoints = ({ sells, traits }: Target): boolean =>
  sells('cache_write_5m') && traits.drop?.includes('prompt_cache_breakpoint') !== true

/** Marks to a server of unknown kind stay as their client wrote them, but for their lifetimes. */
type Form = CacheMarkForm | 'as-sent'

function withoutLifetime(marked: unknown): unknown {
  if (!isFields(marked)) return marked
  const { cache_control: mark, prompt_cache_breakpoint: point, function: called } = marked
  if (!isMarked(marked) && !isMarked(fieldsOf(called))) return marked
  return {
    ...marked,
    ...(mark === undefined ? {} : { cache_control: withoutTtl(mark) }),
    ...(point === undefined ? {} : { prompt_cache_breakpoint: withoutTtl(point) }),
    ...(isFields(called) ? { function: withoutLifetime(called) } : {}),
  }
}

function asSent(message: Fields): unknown {
  const { content, tool_calls: calls } = message
  const shaped: Fields = { ...fieldsOf(withoutLifetime(message)) }
  if (Array.isArray(content)) shaped['content'] = content.map(withoutLifetime)
  if (Array.isArray(calls)) shaped['tool_calls'] = calls.map(withoutLifetime)
  return shaped
}

function withoutTtl(mark: unknown): unknown {
  if (!isFields(mark) || !('ttl' in mark)) return mark
  const { ttl: _, ...rest } = mark
  return rest
}

/**
 * Members that marks become in each form. Only parts have breakpoints, and not those of answers.
 * @param keepsOwn breakpoints that the client wrote stay
 */
function markingOf(form: CacheMarkForm, target: Target, keepsOwn: boolean): Marking {
  switch (form) {
    case 'cache_control':
      return () => control
    case 'cache_control_parts':
      return (place) => (place === 'other' ? null : control)
    case 'none':
      return () => null
  }
  const takes = takesBreakpoints(target)
  return (place, { prompt_cache_breakpoint: own }) =>
    place === 'part' && (takes || (keepsOwn && isFields(own))) ? breakpoint : null
}

/**
 * Edits of a body whose marks of caches are in the form of the vendor's dialect. Marks of a client of this format go
 * to a server of unknown kind without their lifetimes; those of other clients are taken off there.
 * @param shape edits of all else, of a body without what is left out here: it changes no answer, and no vendor has to
 *   refuse it
 */
export function shapeCacheMarks(
  body: Readonly<Fields>,
  target: Target,
  mark: ClientMark,
  shape: NativeAbility['shape'],
): BodyEdit {
  // Most bodies say nothing of caches.
  return saysOfCaches(body) ? shapeMarked(body, target, mark, shape) : shape(body, target, mark)
}

function shapeMarked(
  body: Readonly<Fields>,
  target: Target,
  mark: ClientMark,
  shape: NativeAbility['shape'],
): BodyEdit {
  const { translated = false } = mark
  const { cacheMarks } = dialectOf(target.config.dialect)
  const form = cacheMarks ?? (translated ? 'none' : 'as-sent')
  const set: Fields = {}
  const drop: string[] = []
  for (const [name, value] of optionsOf(body, form, translated))
    if (value === undefined) drop.push(name)
    else if (value !== body[name]) set[name] = value
  const edit = shape(drop.length === 0 ? body : without(body, drop), target, mark)

  const marking = form === 'as-sent' ? null : markingOf(form, target, !translated)
  const shapeOne = (message: Fields): unknown =>
    marking === null ? asSent(message) : shapeMessage(message, marking, translated)
  const messages = listOf(edit.set['messages'] ?? body['messages'])
  if (messages.some(hasMark))
    set['messages'] = messages.map((each) => (hasMark(each) ? shapeOne(each) : each))
  const tools = edit.drop.includes('tools') ? [] : listOf(edit.set['tools'] ?? body['tools'])
  if (tools.some(isMarkedTool))
    set['tools'] = tools.map((tool) =>
      marking === null ? withoutLifetime(tool) : shapeTool(tool, marking),
    )
  if (drop.length === 0 && Object.keys(set).length === 0) return edit
  const kept = Object.entries(set).filter(([name]) => !edit.drop.includes(name))
  return {
    ...edit,
    set: { ...edit.set, ...Object.fromEntries(kept) },
    drop: [...edit.drop, ...drop],
  }
}

function saysOfCaches(body: Readonly<Fields>): boolean {
  const {
    messages,
    tools,
    cache_control: mark,
    prompt_cache_options: options,
    prompt_cache_retention: retention,
  } = body
  if (mark !== undefined || options !== undefined || retention !== undefined) return true
  for (const message of listOf(messages)) if (hasMark(message)) return true
  return tools !== undefined && listOf(tools).some(isMarkedTool)
}

/** Members of a body about caches, with what they become; undefined where they are left out. */
function optionsOf(
  body: Readonly<Fields>,
  form: Form,
  translated: boolean,
): readonly (readonly [name: string, value: unknown])[] {
  // OpenRouter puts this mark on the last part itself; others keep prompts without.
  const { cache_control: mark, prompt_cache_options: options } = body
  const whole =
    form === 'as-sent'
      ? withoutTtl(mark)
      : form === 'cache_control' && isMarked(body)
        ? control['cache_control']
        : undefined
  const members: [string, unknown][] = [['cache_control', whole]]
  const isOpenAi = form === 'prompt_cache_breakpoint'
  // A lifetime is none of this format's, nor the name of another answer, which lies in the operator's account.
  const { mode } = fieldsOf(options)
  const knows = mode !== undefined && (isOpenAi || form === 'cache_control' || form === 'as-sent')
  members.push(['prompt_cache_options', knows ? { mode } : undefined])
  if (translated)
    members.push(['prompt_cache_retention', isOpenAi ? body['prompt_cache_retention'] : undefined])
  return members.filter(([name]) => body[name] !== undefined)
}

const without = (body: Readonly<Fields>, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

function hasMark(message: unknown): message is Fields {
  if (!isFields(message)) return false
  const { content, tool_calls: calls } = message
  return isMarked(message) || someMarked(content) || someMarked(calls)
}

function shapeMessage(message: Fields, marking: Marking, translated: boolean): Fields {
  const { content, tool_calls: calls, role } = message
  const shaped = withoutMark(message)
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  if (Array.isArray(parts) && content !== '') {
    const place = role === 'assistant' ? 'said' : 'part'
    const marked = endMarked(parts.map(fieldsOf), message).map((part) =>
      remarked(part, place, marking),
    )
    const isPlain = !marked.some(isMarked)
    if (isPlain && translated) shaped['content'] = simplest(marked, role)
    else if (!isPlain || typeof content !== 'string') shaped['content'] = marked
  }
  if (Array.isArray(calls))
    shaped['tool_calls'] = calls.map((call) => remarked(fieldsOf(call), 'other', marking))
  return shaped
}

/** The parts of a message whose own mark is behind the last. */
const endMarked = (parts: readonly Fields[], { cache_control: mark }: Fields): readonly Fields[] =>
  mark === undefined
    ? parts
    : parts.map((part, at) => (at === parts.length - 1 ? { ...part, cache_control: mark } : part))

/** As it was before it had marks: text is a string, but for several parts of a user. */
function simplest(parts: readonly Fields[], role: unknown): string | readonly Fields[] {
  const isText = parts.every(({ type }) => type === 'text')
  if (!isText || (role === 'user' && parts.length > 1)) return parts
  return parts.map(({ text }) => text).join('')
}

const remarked = (marked: Fields, place: Place, marking: Marking): Fields =>
  isMarked(marked) ? { ...withoutMark(marked), ...marking(place, marked) } : marked

function withoutMark(marked: Fields): Fields {
  const { cache_control: _, prompt_cache_breakpoint: __, ...rest } = marked
  return rest
}

const isMarkedTool = (tool: unknown): boolean =>
  isFields(tool) && (isMarked(tool) || isMarked(fieldsOf(tool['function'])))

function shapeTool(tool: unknown, marking: Marking): unknown {
  if (!isFields(tool) || !isMarkedTool(tool)) return tool
  const { function: called } = tool
  const shaped = { ...withoutMark(tool), ...marking('other', tool) }
  return isFields(called) ? { ...shaped, function: withoutMark(called) } : shaped
}
