import { Button, Group, Stack, Textarea } from '@mantine/core'
import { IconEraser, IconMessageCircle, IconPlayerStop, IconSend2 } from '@tabler/icons-react'
import { useState, type KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import { Empty } from '../parts/empty'
import { useModel } from '../sold-models'
import { useChosenModels } from './chosen-models'
import { ModelChoice, useCheapest } from './model-choice'
import { noParameters, ParametersForm, parametersOf } from './parameters-form'
import { Turns } from './turns'
import { useChat, type RequestedModel } from './use-chat'
import { Form } from '../parts/form'

/** Props of every kind of call: the key, the model of the address, and who is told the cost. */
export interface CallPlaceProps {
  readonly keyId: number
  /** Of the address of the page. */
  readonly asked: string | null
  readonly onCost: (usd: string | null) => void
}

/** A conversation with one model, or with two at once. */
export function Chat({ keyId, asked, onCost }: CallPlaceProps) {
  const t = useTranslations('talk')
  const chat = useChat({ keyId, onCost })
  const [typed, setTyped] = useState(noParameters)
  const { models, choose, asking } = useSides(keyId, asked)
  const parameters = parametersOf(typed)
  const efforts = [...new Set(asking.flatMap((model) => model.efforts))]
  const canSend = parameters !== null && asking.length > 0
  return (
    <Stack gap="md">
      <Sides keyId={keyId} models={models} onChoose={choose} />
      <ParametersForm typed={typed} onChange={setTyped} efforts={efforts} />
      {chat.turns.length === 0 ? (
        <section className="card">
          <Empty icon={IconMessageCircle} title={t('empty')} lead={t('emptyLead')} />
        </section>
      ) : (
        <Turns turns={chat.turns} />
      )}
      <Composer
        canSend={canSend}
        isRunning={chat.isRunning}
        isFollowing={chat.turns.length > 0}
        onSend={(question) => parameters !== null && chat.send(question, asking, parameters)}
        onStop={chat.stop}
      />
      {chat.turns.length > 0 && (
        <Group>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconEraser size={15} />}
            onClick={chat.clear}
          >
            {t('clear')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** The models that are asked, with their efforts once those are known. */
function useSides(keyId: number, asked: string | null) {
  const chosen = useChosenModels('chat', asked)
  const cheapest = useCheapest(keyId, 'chat')
  const models = chosen.models.length > 0 ? chosen.models : cheapest === null ? [] : [cheapest]
  const [first, second] = [useModel(models[0] ?? null), useModel(models[1] ?? null)]
  // One that is not on sale any more is asked all the same: its refusal says what to do.
  const asking = models.map((id, side): RequestedModel => {
    const facts = [first, second][side]?.data
    return { id, efforts: facts?.choices.efforts ?? [] }
  })
  return { models, choose: chosen.choose, asking }
}

interface SidesProps {
  readonly keyId: number
  readonly models: readonly string[]
  readonly onChoose: (models: readonly string[]) => void
}

function Sides({ keyId, models, onChoose }: SidesProps) {
  const t = useTranslations('playground')
  const [first = null, second] = models
  const choice = (label: string, value: string | null, onChange: (id: string) => void) => (
    <ModelChoice keyId={keyId} family="chat" label={label} value={value} onChange={onChange} />
  )
  return (
    <div>
      <div className="filters filters-wide">
        {choice(t('model'), first, (id) => onChoose(second === undefined ? [id] : [id, second]))}
        {second !== undefined &&
          choice(t('secondModel'), second, (id) => onChoose([first ?? id, id]))}
      </div>
      {first !== null && (
        <Button
          mt="xs"
          variant="subtle"
          size="compact-sm"
          onClick={() => onChoose(second === undefined ? [first, first] : [first])}
        >
          {t(second === undefined ? 'compare' : 'alone')}
        </Button>
      )}
    </div>
  )
}

interface ComposerProps {
  readonly canSend: boolean
  readonly isRunning: boolean
  /** It stays in sight below a conversation. */
  readonly isFollowing: boolean
  readonly onSend: (question: string) => void
  readonly onStop: () => void
}

function Composer({ canSend, isRunning, isFollowing, onSend, onStop }: ComposerProps) {
  const t = useTranslations()
  const [question, setQuestion] = useState('')
  const isReady = canSend && !isRunning && question.trim() !== ''
  const send = () => {
    if (!isReady) return
    onSend(question.trim())
    setQuestion('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter may end a word that is being composed.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <Form onSubmit={() => send()} className={`composer card ${isFollowing ? 'following' : ''}`}>
      <Textarea
        label={t('talk.message')}
        description={t('talk.messageHint')}
        value={question}
        onChange={(event) => setQuestion(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autosize
        minRows={2}
        maxRows={10}
        classNames={{ input: 'any-script' }}
        autoFocus
      />
      <Group justify="flex-end" mt="sm">
        {isRunning ? (
          <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={onStop}>
            {t('playground.stop')}
          </Button>
        ) : (
          <Button type="submit" disabled={!isReady} leftSection={<IconSend2 size={16} />}>
            {t('playground.send')}
          </Button>
        )}
      </Group>
    </Form>
  )
}
