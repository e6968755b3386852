import type { TSchema } from '@sinclair/typebox'
import type { CsvCell } from '../../domain/csv-line'
import type { AdminCode, AdminFacts } from './admin-error'

/** A row of an operation's answer: of a page each of its rows, else the answer itself. */
type RowOf<Result> = Result extends { readonly data: readonly (infer Row)[] } ? Row : Result

/**
 * The command that runs an operation: its words, which parts of the input stand by place, how the answer is
 * shown. Options are not listed: they come from the operation's schemas.
 * @typeParam Result answer of the operation
 */
export interface CommandForm<Result = never> {
  /** Without the program's name, such as `key create`. */
  readonly words: string
  /** In the imperative; that of the operation where it is left out. */
  readonly about?: string
  readonly example: string
  /** Parts of the path: by place or as a required option. */
  readonly params?: Readonly<Record<string, ParamForm>>
  /** Parts of the body that the words themselves say. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Fields of body or query that stand by place, as the usage shows them: `[id]`. */
  readonly places?: Readonly<Record<string, string>>
  /** Further flags of a field, each for one value of it. */
  readonly flags?: Readonly<Record<string, readonly ValueFlag[]>>
  /** Options that are no fields by themselves, by schemas as fields have them; `compose` makes fields of them. */
  readonly options?: Readonly<Record<string, TSchema>>
  /**
   * Fields of body and query by all that was typed, its own options among them.
   * @throws RangeError for options that do not go together
   */
  compose?(typed: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** A flag by which another operation runs in its place. */
  readonly instead?: InsteadForm
  /** Fields of which at least one must be typed. */
  readonly oneOf?: readonly string[]
  /** Fields that may be typed; each that says how where it is left out. */
  readonly takes?: readonly string[]
  /** Fields that the operation can do without, and the command cannot. */
  readonly needs?: readonly string[]
  /** A refusal that whoever sits at the terminal may overrule. */
  readonly confirm?: Confirmation
  /** Last words of its help. */
  readonly helpEnd?: string
  /** `object` of the JSON. */
  readonly object: string
  readonly list?: ListShape<RowOf<Result>>
  /** Members of the JSON beside the rows of all pages; `said` is printed below the table then. */
  aroundRows?(pages: readonly Result[]): object
  /** Lines of a file with their heading, of an answer that is no list. */
  file?(result: Result): readonly (readonly CsvCell[])[]
  /** Fields of the query of a file; all of it is asked for. */
  readonly fileQuery?: Readonly<Record<string, string>>
  /**
   * Part of the answer that is shown; all of it where it is left out.
   * @returns null for nothing, where that is an answer
   * @throws AdminError where there is nothing
   */
  subject?(result: Result): object | null
  /** Members of the JSON under former names, for one release. */
  formerNames?(view: RowOf<Result>): object
  /** Text for people in the place of all fields. @param typed options by their names */
  said?(result: Result, typed: Readonly<Record<string, unknown>>): SaidText
  /** Whether the answer is a failure of what was checked: exit code 1, once it is printed. */
  fails?(result: Result): boolean
  /** Data may begin with it: the folder is made where there is none. */
  readonly makesFolder?: true
  /** Field of the body that is what a file holds, in base64, whose path is typed; null where none is. */
  fileIn?(
    params: Readonly<Record<string, string>>,
    body: Readonly<Record<string, unknown>>,
  ): string | null
  /**
   * Field of the query for names and lengths of files that are sent in the place of a body, whose paths are
   * typed; `-` for standard input.
   */
  readonly uploads?: string
}

interface SaidText {
  /** Names and values, one a line, before all else. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Lines, and tables with their headings. */
  readonly stdout: readonly (string | Table)[]
  readonly stderr?: readonly string[]
}

/** It takes as many of the command's options as it knows. */
interface InsteadForm {
  readonly flag: string
  /** Part of its path that the flag's value is. */
  readonly param?: string
  /** Fields of its body that are options of the command too, beside the flag alone. */
  readonly adds?: readonly string[]
  readonly about: string
  readonly conflicts: readonly string[]
  /** Its name. */
  readonly operation: string
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly form: CommandForm<any>
}

/** Asked at a terminal only; elsewhere the option of the field says yes. */
interface Confirmation<Code extends AdminCode = AdminCode> {
  readonly code: Code
  /** Flag of the body that says yes. */
  readonly field: string
  question(facts: AdminFacts[Code]): string
}

/** A confirmation of the refusal of this code. */
export const confirming = <Code extends AdminCode>(
  confirmation: Confirmation<Code>,
): Confirmation => confirmation

type Table = readonly (readonly string[])[]

interface ParamForm {
  readonly name: string
  readonly about: string
  readonly as: 'place' | 'option'
  /**
   * An id unless told. A key may be named by its prefix, or by its secret, of which no more than that is sent.
   */
  readonly kind?: 'key' | 'text'
}

interface ValueFlag {
  readonly flag: string
  readonly about: string
  readonly value: unknown
  readonly hidden?: true
  /** Not beside the option of the field, nor another flag of it. */
  readonly isAlone?: true
}

export interface ListShape<Row> {
  /** Members of a row; a file's heading. */
  readonly columns: readonly string[]
  /** Heading of the table for people. */
  readonly heading: readonly string[]
  cells(row: Row): readonly string[]
  /** Query field by which the next page begins; null for a list that has no pages. */
  readonly pages: 'before' | 'after' | null
  /** Said in the place of an empty table. */
  readonly none?: string
  /** Shown newest first, and no more than `--limit`; else whole, by number. */
  readonly isNewestFirst?: boolean
  /** All of it is shown, though newest first: it has no `--limit`. */
  readonly isWhole?: true
  /** Query field by which an answer tells its `count`, of all pages: how many more rows there are than are shown. */
  readonly countBy?: string
  /** Not told whether there are more rows than `--limit` shows. */
  readonly isUntold?: true
  /** All pages are read, to tell how many more rows there are than `--limit` shows. */
  readonly isCounted?: true
}

/** Cells of a table for people. */
export const cell = {
  usd: (text: string | null): string => (text === null ? '–' : `$${text}`),
  some: (value: string | number | null | undefined): string =>
    value === null || value === undefined ? '–' : String(value),
  yes: (is: boolean): string => (is ? 'yes' : 'no'),
}

/** A number with its noun: `1 account`, `2 accounts`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
