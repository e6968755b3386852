import { customType } from 'drizzle-orm/sqlite-core'
import { nanoUsd, type NanoUsd } from '../../domain/money'

/** Nano-dollars as an integer; read back only when no digit was lost. */
export const money = customType<{ data: NanoUsd; driverData: number }>({
  dataType: () => 'integer',
  toDriver: (value) => value,
  fromDriver: (value) => nanoUsd(value),
})

/** A list of words as JSON text. */
export const words = customType<{ data: readonly string[]; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (value) => JSON.parse(value) as string[],
})
