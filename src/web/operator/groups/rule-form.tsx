import { NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { UsdInput } from '../../parts/money/usd-input'
import { queries } from '../../queries'
import { isUsd, plainNumber, usdField, usdOrNull } from '../../typed'
import { operate, type Result } from '../operate'
import type { GroupRule } from './group-words'
import { FormDialog } from '../../parts/form-dialog'

export type RuleSet = Result<'PUT /groups/{id}/price-rules'>

interface RuleFormProps {
  readonly group: number
  /** Null for a new one. */
  readonly rule: GroupRule | null
  readonly onClose: () => void
  readonly onSet: (set: RuleSet) => void
}

interface Typed extends Pick<GroupRule, 'kind' | 'name' | 'on' | 'basis'> {
  readonly percent: string
  readonly fee: string
  readonly digits: string
}

const kinds = ['everything', 'type', 'owner', 'vendor', 'model'] as const

const nameTexts = {
  everything: 'everything',
  type: 'typeName',
  owner: 'ownerName',
  vendor: 'vendorName',
  model: 'modelName',
} as const

const isPercent = (typed: string): boolean => {
  const text = plainNumber(typed)
  return /^-?\d{1,6}(?:\.\d{1,6})?$/.test(text) && Number(text) > -100
}
const isMoney = (typed: string): boolean => typed.trim() === '' || isUsd(typed)
const isDigits = (typed: string): boolean =>
  typed.trim() === '' || /^(?:[1-9]|1[0-5])$/.test(plainNumber(typed))

/** Form of a group's price rule for models of one scope. */
export function RuleForm({ group, rule, onClose, onSet }: RuleFormProps) {
  const t = useTranslations('groupRules')
  const [typed, setTyped] = useState<Typed>({
    kind: rule?.kind ?? 'everything',
    name: rule?.name ?? '',
    percent: rule?.markup_percent ?? '',
    on: rule?.on ?? 'sale',
    fee: usdField(rule?.fee_per_call_usd ?? null),
    digits: rule?.digits === null || rule === null ? '' : String(rule.digits),
    basis: rule?.basis ?? 'highest',
  })
  const isEverything = typed.kind === 'everything'
  const save = useMutation({
    mutationFn: () =>
      operate('PUT /groups/{id}/price-rules', {
        params: { id: group },
        body: {
          kind: typed.kind,
          name: isEverything ? '' : typed.name.trim(),
          markup_percent: plainNumber(typed.percent),
          on: typed.on,
          fee_per_call_usd: usdOrNull(typed.fee),
          digits: typed.digits.trim() === '' ? null : Number(plainNumber(typed.digits)),
          basis: typed.basis,
        },
      }),
    async onSuccess(set) {
      await queries.invalidateQueries({ queryKey: ['op'] })
      onClose()
      onSet(set)
    },
  })
  const { name, percent, fee, digits } = typed
  const isNamed = isEverything || name.trim() !== ''
  return (
    <FormDialog
      title={t(rule === null ? 'add' : 'change')}
      isReady={isNamed && isPercent(percent) && isMoney(fee) && isDigits(digits)}
      saving={save}
      onClose={onClose}
    >
      <NativeSelect
        label={t('kind')}
        value={typed.kind}
        onChange={(event) =>
          setTyped({ ...typed, kind: event.currentTarget.value as GroupRule['kind'] })
        }
        data={kinds.map((kind) => ({ value: kind, label: t(kind) }))}
        // Of another scope it is another rule.
        disabled={rule !== null}
      />
      {!isEverything && (
        <TextInput
          label={t(nameTexts[typed.kind])}
          value={name}
          onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
          dir="ltr"
          maxLength={256}
          required
          withAsterisk={false}
          disabled={rule !== null}
        />
      )}
      <TextInput
        label={t('percent')}
        description={t('percentLead')}
        value={percent}
        onChange={(event) => setTyped({ ...typed, percent: event.currentTarget.value })}
        inputMode="text"
        dir="ltr"
        required
        withAsterisk={false}
        data-autofocus
      />
      <div>
        <Text size="sm" fw={500} id="rule-on" mb={4}>
          {t('on')}
        </Text>
        <SegmentedControl
          fullWidth
          aria-labelledby="rule-on"
          value={typed.on}
          onChange={(on) => setTyped({ ...typed, on })}
          data={[
            { value: 'sale', label: t('sale') },
            { value: 'cost', label: t('cost') },
          ]}
        />
      </div>
      <Finer typed={typed} onChange={(change) => setTyped({ ...typed, ...change })} />
    </FormDialog>
  )
}

interface FinerProps {
  readonly typed: Typed
  readonly onChange: (change: Partial<Typed>) => void
}

/** Optional fields of a rule. */
function Finer({ typed, onChange }: FinerProps) {
  const t = useTranslations('groupRules')
  return (
    <>
      <UsdInput
        label={t('fee')}
        description={t('feeLead')}
        value={typed.fee}
        onChange={(event) => onChange({ fee: event.currentTarget.value })}
      />
      <TextInput
        label={t('digits')}
        description={t('digitsLead')}
        value={typed.digits}
        onChange={(event) => onChange({ digits: event.currentTarget.value })}
        inputMode="numeric"
      />
      <NativeSelect
        label={t('basis')}
        value={typed.basis}
        onChange={(event) => onChange({ basis: event.currentTarget.value as GroupRule['basis'] })}
        data={[
          { value: 'highest', label: t('highest') },
          { value: 'first', label: t('first') },
        ]}
      />
    </>
  )
}
