import { TextInput } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { Field, FieldTable, wired } from '../../../domain/fields/field'
import { UsdInput } from '../../parts/money/usd-input'
import { isUsd, plainNumber, usdField } from '../../typed'

/** Fields of a table as they are typed, by their names in requests. */
type TypedTable = Readonly<Record<string, string>>

const fieldsOf = (table: FieldTable) => Object.values(table)

/** Values of a table of fields, as its inputs show them; empty for none. */
export const typedTable = (table: FieldTable, held: object): TypedTable =>
  Object.fromEntries(
    fieldsOf(table).map(({ kind, wire }) => {
      const value = (held as Readonly<Record<string, string | number | null>>)[wire] ?? ''
      return [wire, kind === 'usd' ? usdField(String(value)) : String(value)]
    }),
  )

function isValue({ kind, nullable, unlimited, max = Infinity }: Field, typed: string): boolean {
  const plain = plainNumber(typed)
  if (plain === '') return nullable || unlimited !== undefined
  return kind === 'usd' ? isUsd(plain) : /^[1-9]\d*$/.test(plain) && Number(plain) <= max
}

/** Whether each text is a value of its field. */
export const isTyped = (table: FieldTable, typed: TypedTable): boolean =>
  fieldsOf(table).every((field) => isValue(field, typed[field.wire] ?? ''))

/** Values that were typed otherwise than before, as requests have them. */
export const changedFields = <Table extends FieldTable>(
  table: Table,
  typed: TypedTable,
  before: TypedTable,
): Partial<ReturnType<typeof wired<Table>>> =>
  Object.fromEntries(
    fieldsOf(table)
      .filter(({ wire }) => typed[wire] !== before[wire])
      .map(({ kind, wire }) => {
        const plain = plainNumber(typed[wire] ?? '')
        return [wire, plain === '' ? null : kind === 'usd' ? plain : Number(plain)]
      }),
  ) as Partial<ReturnType<typeof wired<Table>>>

interface TableInputsProps {
  readonly table: FieldTable
  readonly typed: TypedTable
  readonly onType: (typed: TypedTable) => void
  /** Sentence below an input, by its field. */
  readonly lead: (wire: string) => string | null
  readonly isDisabled?: (wire: string) => boolean
}

/** Inputs of dollars and counts for a table of fields. */
export function TableInputs({ table, typed, onType, lead, isDisabled }: TableInputsProps) {
  const t = useTranslations('limitFields')
  return fieldsOf(table).map(({ kind, wire }) => {
    const Input = kind === 'usd' ? UsdInput : TextInput
    return (
      <Input
        key={wire}
        label={t(wire)}
        description={lead(wire)}
        value={typed[wire] ?? ''}
        onChange={(event) => onType({ ...typed, [wire]: event.currentTarget.value })}
        inputMode={kind === 'usd' ? 'decimal' : 'numeric'}
        disabled={isDisabled?.(wire) === true}
      />
    )
  })
}
