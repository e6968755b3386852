import type { TSchema } from '@sinclair/typebox'
import { operationRows } from '../../src/business/operations/table'
import { table } from '../../src/gateway/api/table'
import { openConsoleApi } from '../../src/console/api/console-api'

/** A part of the program, each of which is opened by other credentials. */
type Door = 'api' | 'admin' | 'operator console' | 'console'

interface AnyRoute {
  readonly door: Door
  readonly method: string
  /** `{}` where an id stands. */
  readonly path: string
  /** Name of an operation. */
  readonly operation: string | null
  /** Of its body, where the route tells it. */
  readonly schema: TSchema | null
}

const withoutNames = (path: string): string => path.replaceAll(/\{\w+\}|:\w+\??|\*/g, '{}')

/** Every route of every table, each operation by both of its doors. */
export const allRoutes: readonly AnyRoute[] = [
  ...table.map(({ method, path }) => ({
    door: 'api' as const,
    method,
    path: withoutNames(path),
    operation: null,
    schema: null,
  })),
  ...operationRows.flatMap(({ name, method, path, body }) =>
    (
      [
        ['admin', '/admin/v1'],
        ['operator console', '/app/api/operator'],
      ] as const
    ).map(([door, prefix]) => ({
      door,
      method,
      path: withoutNames(prefix + path),
      operation: name,
      schema: body,
    })),
  ),
  ...openConsoleApi({} as never).routes.map(({ method, path, hooks }) => ({
    door: 'console' as const,
    method,
    path: withoutNames(path),
    operation: null,
    schema: (hooks as { readonly body?: TSchema }).body ?? null,
  })),
]
