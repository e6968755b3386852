import { ActionIcon, Anchor, Button, Group, TextInput } from '@mantine/core'
import { IconArrowUp, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { Failed } from '../../parts/failed'
import { useMay } from '../me'
import { modelDeskPath, readPricesAgain } from './model-detail'
import { Panel } from '../../parts/panel'
import { Form } from '../../parts/form'

interface ModelIdListProps {
  readonly title: string
  readonly lead: string
  readonly ids: readonly string[]
  readonly save: (ids: readonly string[]) => Promise<unknown>
}

/** Ordered list of model ids, to be added, moved and removed. */
export function ModelIdList({ title, lead, ids, save }: ModelIdListProps) {
  const t = useTranslations('modelNames')
  const may = useMay()
  const heading = useId()
  const [held, setHeld] = useState(ids)
  const [typed, setTyped] = useState('')
  const saving = useMutation({ mutationFn: () => save(held), onSuccess: readPricesAgain })
  const isChanged = held.join(' ') !== ids.join(' ')
  const add = () => {
    const id = typed.trim()
    if (id !== '' && !held.includes(id)) setHeld([...held, id])
    setTyped('')
  }
  return (
    <Panel id={heading} title={title} lead={lead}>
      <ol className="rows">
        {held.map((id, at) => (
          <li key={id}>
            <Group justify="space-between" wrap="nowrap">
              <Anchor
                component={Link}
                href={modelDeskPath(id)}
                className="code"
                dir="ltr"
                lang="en"
                style={{ overflowWrap: 'anywhere' }}
              >
                {id}
              </Anchor>
              {may('owner') && (
                <Group gap={4} wrap="nowrap">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={36}
                    disabled={at === 0}
                    aria-label={t('earlier', { id })}
                    onClick={() => setHeld(moved(held, at))}
                  >
                    <IconArrowUp size={18} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={36}
                    aria-label={t('takeOut', { id })}
                    onClick={() => setHeld(held.filter((each) => each !== id))}
                  >
                    <IconX size={18} />
                  </ActionIcon>
                </Group>
              )}
            </Group>
          </li>
        ))}
      </ol>
      {may('owner') && (
        <Form onSubmit={add}>
          <Group align="flex-end" mt="sm">
            <TextInput
              label={t('modelId')}
              value={typed}
              dir="ltr"
              maxLength={256}
              onChange={(event) => setTyped(event.currentTarget.value)}
              style={{ flex: 1, minWidth: 200 }}
            />
            <Button type="submit" variant="default" disabled={typed.trim() === ''}>
              {t('add')}
            </Button>
          </Group>
        </Form>
      )}
      <Failed error={saving.error} />
      {isChanged && (
        <Group justify="flex-end" mt="sm">
          <Button variant="default" onClick={() => setHeld(ids)}>
            {t('undo')}
          </Button>
          <Button loading={saving.isPending} onClick={() => saving.mutate()}>
            {t('save')}
          </Button>
        </Group>
      )}
    </Panel>
  )
}

/** One place earlier. */
const moved = (ids: readonly string[], at: number): readonly string[] => {
  const [one, other] = [ids[at - 1], ids[at]]
  if (one === undefined || other === undefined) return ids
  return ids.with(at - 1, other).with(at, one)
}
