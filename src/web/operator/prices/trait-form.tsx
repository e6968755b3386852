import { NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '../../parts/dialog'
import { operate } from '../operate'
import { FormEnd } from '../parts/form-end'
import type { ModelDetail } from './model-detail'
import { readPricesAgain } from './read-again'
import { traitExamples } from './trait-examples'

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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog opened onClose={onClose} title={t('set')}>
      <form onSubmit={submit}>
        <Stack>
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
          <Text size="sm" className="soft">
            {words(name)}
          </Text>
          <TextInput
            label={t('value')}
            description={t('valueLead', { example: `\u2066${traitExamples[name] ?? ''}\u2069` })}
            value={value}
            dir="ltr"
            onChange={(event) => setValue(event.currentTarget.value)}
          />
          <FormEnd
            action={t('save')}
            error={save.error}
            isPending={save.isPending}
            isReady={read !== undefined}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
