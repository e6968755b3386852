import { NativeSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { operate } from '../operate'
import { type ModelDetail, readPricesAgain } from './model-detail'
import { traitExamples } from './trait-examples'
import { Soft } from '../../parts/panel'
import { FormDialog } from '../../parts/form-dialog'

interface TraitFormProps {
  readonly model: ModelDetail
  readonly onClose: () => void
}

/** Undefined for what is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sets one trait of a model; the others stay. */
export function TraitForm({ model, onClose }: TraitFormProps) {
  const t = useTranslations('modelTraits')
  const words = useTranslations('traitWords')
  const [name, setName] = useState('drop')
  const heldOf = (trait: string): string => {
    const held = model.traits[trait]
    return held === undefined ? '' : JSON.stringify(held)
  }
  const [value, setValue] = useState(() => heldOf('drop'))
  const read = jsonOf(value)
  const save = useMutation({
    mutationFn: () =>
      operate('PATCH /models/{id}', {
        params: { id: model.id },
        body: { traits: { ...model.traits, [name]: read } },
      }),
    async onSuccess() {
      await readPricesAgain()
      onClose()
    },
  })
  return (
    <FormDialog title={t('set')} isReady={read !== undefined} saving={save} onClose={onClose}>
      <NativeSelect
        label={t('trait')}
        value={name}
        data={Object.keys(traitExamples)}
        dir="ltr"
        onChange={(event) => {
          setName(event.currentTarget.value)
          setValue(heldOf(event.currentTarget.value))
        }}
      />
      <Soft>{words(name)}</Soft>
      <TextInput
        label={t('value')}
        description={t('valueLead', { example: `\u2066${traitExamples[name] ?? ''}\u2069` })}
        value={value}
        dir="ltr"
        onChange={(event) => setValue(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
