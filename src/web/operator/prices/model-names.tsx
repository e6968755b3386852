import { Badge, Button, Group, Stack, Switch, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Confirm } from '../../parts/confirm'
import { Failed } from '../../parts/failed'
import { useMay } from '../me'
import { operate } from '../operate'
import { ModelIdList } from './model-id-list'
import { type ModelDetail, readPricesAgain } from './model-detail'
import { Panel, Code } from '../../parts/panel'
import { Form, useTyped } from '../../parts/form'

interface ModelNamesProps {
  readonly model: ModelDetail
}

/** Aliases of a model and its fallbacks; of an alias, the models that it stands for. */
export function ModelNames({ model }: ModelNamesProps) {
  const t = useTranslations('modelNames')
  const { id, alias_of: aliasOf, fallbacks } = model
  const params = { id }
  if (aliasOf.length > 0)
    return (
      <ModelIdList
        key={aliasOf.join(' ')}
        title={t('aliasOf')}
        lead={t('aliasOfLead')}
        ids={aliasOf}
        save={(ids) => operate('PATCH /models/{id}', { params, body: { alias_of: [...ids] } })}
      />
    )
  return (
    <Stack gap="lg">
      <Aliases model={model} />
      <ModelIdList
        key={fallbacks.join(' ')}
        title={t('fallbacks')}
        lead={t('fallbacksLead')}
        ids={fallbacks}
        save={(ids) => operate('PATCH /models/{id}', { params, body: { fallbacks: [...ids] } })}
      />
    </Stack>
  )
}

function Aliases({ model: { id: model, aliases } }: ModelNamesProps) {
  const t = useTranslations('modelNames')
  const may = useMay()
  return (
    <Panel id="aliases" title={t('aliases')} lead={t('aliasesLead')}>
      <ul className="rows">
        {aliases.map((alias) => (
          <li key={alias.id}>
            <AliasRow alias={alias} />
          </li>
        ))}
      </ul>
      {may('owner') && <NewAlias model={model} />}
    </Panel>
  )
}

function AliasRow({ alias: { id, listed } }: { readonly alias: ModelDetail['aliases'][number] }) {
  const t = useTranslations('modelNames')
  const may = useMay()
  const [isRemoving, setRemoving] = useState(false)
  const remove = async () => {
    await operate('DELETE /model-aliases/{id}', { params: { id } })
    await readPricesAgain()
  }
  return (
    <Group justify="space-between">
      <Code>{id}</Code>
      <Group gap="xs">
        <Badge variant="light" color="gray" tt="none">
          {t(listed ? 'listed' : 'unlisted')}
        </Badge>
        {may('owner') && (
          <Button size="xs" variant="default" onClick={() => setRemoving(true)}>
            {t('remove')}
          </Button>
        )}
      </Group>
      {isRemoving && (
        <Confirm
          title={t('remove')}
          lead={t('removeLead', { id })}
          action={t('remove')}
          isDangerous
          work={remove}
          onClose={() => setRemoving(false)}
        />
      )}
    </Group>
  )
}

function NewAlias({ model }: { readonly model: string }) {
  const t = useTranslations('modelNames')
  const { typed, setTyped, field, flag } = useTyped({ id: '', listed: false })
  const add = useMutation({
    mutationFn: () =>
      operate('PUT /model-aliases/{id}', {
        params: { id: typed.id.trim() },
        body: { model, listed: typed.listed },
      }),
    async onSuccess() {
      setTyped({ id: '', listed: false })
      await readPricesAgain()
    },
  })
  return (
    <Form onSubmit={() => add.mutate()}>
      <Stack gap="sm" mt="sm">
        <Group align="flex-end">
          <TextInput
            label={t('newAlias')}
            {...field('id')}
            dir="ltr"
            maxLength={256}
            style={{ flex: 1, minWidth: 200 }}
          />
          <Button
            type="submit"
            variant="default"
            loading={add.isPending}
            disabled={typed.id.trim() === ''}
          >
            {t('add')}
          </Button>
        </Group>
        <Switch label={t('listedLead')} {...flag('listed')} />
        <Failed error={add.error} />
      </Stack>
    </Form>
  )
}
