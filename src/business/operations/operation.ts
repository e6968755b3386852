import { Type, type Static, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import type { OperatorRole } from '../../domain/fields/operator-fields'
import type { CommandForm } from './command'
import type { KeptParts, OperationParts } from './parts'

export type OperationMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What an operation is called with, once it was checked. */
interface OperationInput<
  Params extends TProperties,
  Query extends TProperties,
  Body extends TProperties,
> {
  readonly params: Static<TObject<Params>>
  readonly query: Static<TObject<Query>>
  readonly body: Static<TObject<Body>>
  /** The file that was sent in the place of a body, as it comes; empty where none is taken. */
  readonly upload: AsyncIterable<Uint8Array>
}

/** One thing that an operator reads or does, for the console, `/admin/v1` and its document alike. */
export interface Operation<
  Method extends OperationMethod = OperationMethod,
  Path extends string = string,
  Params extends TProperties = TProperties,
  Query extends TProperties = TProperties,
  Body extends TProperties = TProperties,
  Result extends TSchema = TSchema,
> {
  /** `account.set`: the subject and what becomes of it. */
  readonly name: string
  readonly method: Method
  /** Below the mount, such as `/accounts/{id}`. */
  readonly path: Path
  /** The least role that may. */
  readonly role: OperatorRole
  /** One sentence for people, without a full stop. */
  readonly about: string
  readonly params: TObject<Params>
  readonly query: TObject<Query>
  readonly body: TObject<Body>
  readonly result: Result
  /** Largest body in KB. */
  readonly maxBodyKb: number
  /** Largest file in MB that is taken in the place of a body; null for an operation that takes none. */
  readonly maxUploadMb: number | null
  /** Commands that run it; none for what only pages do. */
  readonly commands: readonly CommandForm<Static<Result>>[]
  /** Only a gateway that serves can run it: beside one, the data alone are not enough. */
  readonly isLive: boolean
  /** @throws AdminError */
  run(parts: OperationParts, input: OperationInput<Params, Query, Body>): Promise<Static<Result>>
}

/** An operation as it is written: fields that nobody takes are left out. */
interface WrittenOperation<
  Parts,
  Method extends OperationMethod,
  Path extends string,
  Params extends TProperties,
  Query extends TProperties,
  Body extends TProperties,
  Result extends TSchema,
> extends Pick<
  Operation<Method, Path, Params, Query, Body, Result>,
  'name' | 'method' | 'path' | 'role' | 'about' | 'result'
> {
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly maxBodyKb?: number
  readonly maxUploadMb?: number
  readonly commands?: readonly CommandForm<Static<Result>>[]
  run(parts: Parts, input: OperationInput<Params, Query, Body>): Promise<Static<Result>>
}

const usualBodyKb = 64
const closed = { additionalProperties: false } as const

/** A maker of rows. @typeParam Parts what a row may use when it runs @param isLive whether that takes a gateway */
const maker =
  <Parts>(isLive: boolean) =>
  <
    const Method extends OperationMethod,
    const Path extends string,
    Result extends TSchema,
    Params extends TProperties = {},
    Query extends TProperties = {},
    Body extends TProperties = {},
  >({
    params,
    query,
    body,
    maxBodyKb = usualBodyKb,
    maxUploadMb,
    commands = [],
    ...row
  }: WrittenOperation<Parts, Method, Path, Params, Query, Body, Result> & {
    // It is given all parts; it sees those of its kind.
    run(parts: OperationParts, input: OperationInput<Params, Query, Body>): Promise<Static<Result>>
  }): Operation<Method, Path, Params, Query, Body, Result> => ({
    ...row,
    isLive,
    commands,
    maxBodyKb,
    maxUploadMb: maxUploadMb ?? null,
    params: Type.Object(params ?? ({} as Params), closed),
    query: Type.Object(query ?? ({} as Query), closed),
    body: Type.Object(body ?? ({} as Body), closed),
  })

/** Makes a row of the table for what the data alone answer. A field that is not named is refused. */
export const operation = maker<KeptParts>(false)

/** Makes a row of the table for what takes a gateway that serves. */
export const liveOperation = maker<OperationParts>(true)

/** Input of an operation as its callers send it: fields with a default may be left out. */
export type SentTo<Row> = Row extends {
  readonly params: TObject<infer Params>
  readonly query: TObject<infer Query>
  readonly body: TObject<infer Body>
}
  ? Given<'params', Static<TObject<Params>>> &
      (keyof Query extends never ? {} : { readonly query?: Partial<Static<TObject<Query>>> }) &
      Given<'body', Static<TObject<Body>>>
  : never

type Given<Name extends string, Fields> = keyof Fields extends never
  ? {}
  : { readonly [Each in Name]: Fields }

export type ResultOf<Row> = Row extends { readonly result: infer Result extends TSchema }
  ? Static<Result>
  : never
