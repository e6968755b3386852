import { Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { capabilities } from '../../model-families'
import { plainNumber } from '../../typed'
import { operate } from '../operate'
import { type ModelDetail, readPricesAgain } from './model-detail'
import { FormDialog } from '../../parts/form-dialog'

interface ModelFactsFormProps {
  readonly model: ModelDetail
  readonly onClose: () => void
}

const isTokens = (typed: string): boolean =>
  typed.trim() === '' || /^[1-9]\d{0,7}$/.test(plainNumber(typed))

const tokensOf = (typed: string): number | undefined =>
  typed.trim() === '' ? undefined : Number(plainNumber(typed))

/** Abilities of a model by their names: whether it has them. */
type Abilities = Readonly<Record<string, boolean>>

const abilitiesOf = ({ capabilities: held }: ModelDetail): Abilities =>
  Object.fromEntries(capabilities.map((each) => [each, held[each] === true]))

/** Form of a model's public facts: names, sizes, abilities. */
export function ModelFactsForm({ model, onClose }: ModelFactsFormProps) {
  const t = useTranslations('modelFacts')
  const isName = model.alias_of.length > 0
  const [typed, setTyped] = useState({
    name: model.name,
    owner: model.owned_by,
    description: model.description ?? '',
    context: String(model.context_length ?? ''),
    maxOutput: String(model.max_output_tokens ?? ''),
  })
  const [can, setCan] = useState(() => abilitiesOf(model))
  const save = useMutation({
    mutationFn: () => {
      const { name, owner, description, context, maxOutput } = typed
      const words = { name, owned_by: owner, description }
      const held = abilitiesOf(model)
      const moved = Object.entries(can).filter(([each, is]) => held[each] !== is)
      const [contextLength, maxTokens] = [tokensOf(context), tokensOf(maxOutput)]
      const own = {
        ...(contextLength === undefined ? {} : { context_length: contextLength }),
        ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
        ...(moved.length === 0 ? {} : { capabilities: Object.fromEntries(moved) }),
      }
      const body = isName ? words : { ...words, ...own }
      return operate('PATCH /models/{id}', { params: { id: model.id }, body })
    },
    async onSuccess() {
      await readPricesAgain()
      onClose()
    },
  })
  const field = (name: keyof typeof typed) => ({
    label: t(name),
    value: typed[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  })
  return (
    <FormDialog
      title={t('change')}
      isReady={
        typed.name.trim() !== '' &&
        typed.owner.trim() !== '' &&
        isTokens(typed.context) &&
        isTokens(typed.maxOutput)
      }
      saving={save}
      onClose={onClose}
    >
      <TextInput {...field('name')} maxLength={200} data-autofocus />
      <TextInput {...field('owner')} maxLength={100} dir="ltr" />
      <Textarea {...field('description')} maxLength={2000} autosize minRows={2} maxRows={8} />
      {!isName && (
        <>
          <TextInput {...field('context')} inputMode="numeric" />
          <TextInput {...field('maxOutput')} inputMode="numeric" />
          <AbilitySwitches value={can} onChange={setCan} />
        </>
      )}
    </FormDialog>
  )
}

interface AbilitySwitchesProps {
  readonly value: Abilities
  readonly onChange: (value: Abilities) => void
}

function AbilitySwitches({ value, onChange }: AbilitySwitchesProps) {
  const t = useTranslations('modelFacts')
  const inCapabilities = useTranslations('capabilities')
  return (
    <fieldset className="plain-fieldset">
      <legend className="eyebrow">{t('can')}</legend>
      <Stack gap="xs" mt="xs">
        {capabilities.map((each) => (
          <Switch
            key={each}
            label={inCapabilities(each)}
            checked={value[each] === true}
            onChange={(event) => onChange({ ...value, [each]: event.currentTarget.checked })}
          />
        ))}
      </Stack>
    </fieldset>
  )
}
