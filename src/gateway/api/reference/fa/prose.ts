/** Persian of what the document says of the interface and of its routes, by paragraph. */
export const prose: Readonly<Record<string, string>> = {
  "One address, one key and prepaid dollars for many vendors' models. Clients of the common hosted chat API work when only the base address (`…/v1`) and the key are changed.":
    'یک نشانی، یک کلید و دلار پیش‌پرداخت برای مدل‌های سازندگان بسیار. برنامه‌های رابط رایج گفت‌وگو با عوض کردن نشانی پایه (`…/v1`) و کلید کار می‌کنند.',
  'Money is set aside before a call runs and charged by what it used: a call that fails before an answer costs nothing, a stream that is cut costs what was sent. Amounts are decimal strings in dollars.':
    'پیش از شروع هر درخواست پولی کنار گذاشته می‌شود و در پایان به اندازهٔ مصرف برداشته می‌شود: درخواستی که پیش از پاسخ خطا بدهد رایگان است و پاسخ جاری‌ای که قطع شود به اندازهٔ آن‌چه فرستاده شده هزینه دارد. مبلغ‌ها رشته‌هایی ده‌دهی به دلارند.',
  'Decide on `error.code`, never on `error.message`, which is Persian, and English with `Accept-Language: en`. Repeat 429 (after `Retry-After`), 502 and 503, unless `x-should-retry: false` says that it cannot help.':
    'در برنامه به `error.code` تکیه کنید و نه به `error.message`، که فارسی است و با `Accept-Language: en` انگلیسی. خطاهای ۴۲۹ (پس از `Retry-After`)، ۵۰۲ و ۵۰۳ را تکرار کنید، مگر این‌که `x-should-retry: false` بگوید سودی ندارد.',
  'Every model on sale, with its prices.': 'همهٔ مدل‌های فروشی با قیمتشان.',
  'A model may be called by other ids too; where the operator lists one, it has a row of its own. With a key, prices are those of its account.':
    'مدل را با شناسه‌های دیگر هم می‌توان خواست؛ شناسه‌ای که گردانندهٔ سرویس فهرست کرده باشد سطر خودش را دارد. با کلید، قیمت‌ها قیمت‌های حساب آن است.',
  'With a key, prices are those of its account.': 'با کلید، قیمت‌ها قیمت‌های حساب آن است.',
  'The models.': 'مدل‌ها.',
  'One model.': 'یک مدل.',
  'The model.': 'مدل.',
  'One answer of any chat model, streamed or whole.': 'یک پاسخ از هر مدل گفت‌وگو، جاری یا یک‌جا.',
  'One endpoint and one body for the chat models of every vendor. A model can be named plainly, as `vendor/model`, or with a route prefix (`openrouter:gpt-4o`).':
    'یک نشانی و یک بدنه برای مدل‌های گفت‌وگوی همهٔ سازندگان. مدل را می‌توان ساده، به شکل `vendor/model` یا با پیشوند مسیر (`openrouter:gpt-4o`) نام برد.',
  'With `stream: true` the answer is server-sent events: chunks, then one with `usage` and no choices, then `[DONE]`. What fails on the way is an event with an `error` object.':
    'با `stream: true` پاسخ رویدادهای SSE است: تکه‌ها، سپس رویدادی با `usage` و بی `choices`، سپس `[DONE]`. خطای میان راه رویدادی با شیء `error` است.',
  'With `X-Dry-Run: 1` everything is checked and the answer tells what the call could cost; no vendor is asked and nothing is charged.':
    'با `X-Dry-Run: 1` همه چیز بررسی می‌شود و پاسخ می‌گوید درخواست چقدر می‌تواند هزینه داشته باشد؛ از سازنده چیزی پرسیده و پولی برداشته نمی‌شود.',
  'The same in the Messages format, for clients that speak it.':
    'همان در قالب Messages، برای برنامه‌هایی که با آن کار می‌کنند.',
  "Any chat model of any vendor, asked and answered as Anthropic's clients expect it; errors too. Give them this address without `/v1`, and the key as they send theirs.":
    'هر مدل گفت‌وگو از هر سازنده، با پرسش و پاسخ و خطا به شکلی که برنامه‌های Anthropic انتظار دارند. این نشانی را بی `/v1` به آن‌ها بدهید و کلید را به همان شکل که کلید خودشان را می‌فرستند.',
  "With `stream: true` the answer is that format's own events. With `X-Dry-Run: 1` the answer tells what the call could cost.":
    'با `stream: true` پاسخ رویدادهای همان قالب است. با `X-Dry-Run: 1` پاسخ می‌گوید درخواست چقدر می‌تواند هزینه داشته باشد.',
  'The same in the Responses format.': 'همان در قالب Responses.',
  "Any chat model of any vendor. Where its vendor speaks this format requests and answers pass to the letter, and `previous_response_id` goes on from an earlier answer of the same project; elsewhere they are translated. Tools that run at the vendor are charged by the call where the model's prices have one for them; otherwise a web search is left out, and any other such tool, or one that `tool_choice` forces, is refused with `endpoint_not_supported`.":
    'هر مدل گفت‌وگو از هر سازنده. جایی که سازنده همین قالب را دارد درخواست و پاسخ بی‌تغییر می‌گذرند و `previous_response_id` از پاسخ پیشینی از همان پروژه ادامه می‌دهد؛ جای دیگر ترجمه می‌شوند. ابزارهایی که نزد سازنده اجرا می‌شوند، اگر مدل برایشان قیمت داشته باشد، به ازای هر بار حساب می‌شوند؛ وگرنه جست‌وجوی وب کنار گذاشته می‌شود و هر ابزار دیگری از این دست، یا ابزاری که `tool_choice` اجباری کرده باشد، با `endpoint_not_supported` رد می‌شود.',
  'An input whose last item is `{"type":"compaction_trigger"}` is answered by one item of type `compaction` in place of an answer; see `POST /v1/responses/compact`. There is no WebSocket here: an upgrade gets 426.':
    'به ورودی‌ای که آخرین قلمش `{"type":"compaction_trigger"}` باشد به جای پاسخ یک قلم از نوع `compaction` داده می‌شود؛ `POST /v1/responses/compact` را ببینید. این‌جا WebSocket نیست و درخواست آن ۴۲۶ می‌گیرد.',
  'A conversation made shorter.': 'گفت‌وگویی که کوتاه شده است.',
  "The output is the input of later requests: the messages of the user, and one item of type `compaction` for all the rest. Where its vendor can do this it is the vendor's own item, which only that vendor can read; elsewhere the model summarises the conversation, without tools, and any model can go on from it. It is charged as any other call of the model.":
    'خروجی، ورودی درخواست‌های بعدی است: پیام‌های کاربر، و یک قلم از نوع `compaction` برای همهٔ بقیه. جایی که سازنده خودش این کار را می‌کند قلم از آن سازنده است و تنها همان سازنده آن را می‌خواند؛ جای دیگر مدل گفت‌وگو را بی ابزار خلاصه می‌کند و هر مدلی می‌تواند از آن ادامه دهد. هزینه‌اش مثل هر درخواست دیگر مدل است.',
  "The content of an item is sealed for the project and kept nowhere else: one that was changed, or of another project, is refused with `invalid_message` and its place as `param`; a vendor's own with a model of another vendor with `endpoint_not_supported`.":
    'محتوای قلم برای پروژه مهر شده و جای دیگری نگه داشته نمی‌شود: قلم دست‌خورده یا از پروژهٔ دیگر با `invalid_message` و جایش در `param` رد می‌شود؛ قلم یک سازنده با مدل سازندهٔ دیگر با `endpoint_not_supported`.',
  'The old format that completes a text.': 'قالب قدیمی که متنی را کامل می‌کند.',
  'Any chat model of any vendor: the prompt is what a user says. One text; `suffix`, `best_of` and `logprobs` cannot be had.':
    'هر مدل گفت‌وگو از هر سازنده: `prompt` گفتهٔ کاربر است. تنها یک متن؛ `suffix`، `best_of` و `logprobs` در کار نیست.',
  'Vectors of texts.': 'بردار متن‌ها.',
  'In the order of the input, as numbers or as base64 of little-endian floats of 32 bits, whatever the vendor gives.':
    'به ترتیب ورودی، به شکل عدد یا base64 از اعداد ۳۲ بیتی little-endian، سازنده هر چه بدهد.',
  'Whether texts and pictures are harmful.': 'آیا متن‌ها و تصویرها زیان‌بارند.',
  'In the reference format. Without `model` the first moderation model on sale judges; 404 when there is none.':
    'در قالب مرجع. بی `model` نخستین مدل فروشی از این نوع داوری می‌کند؛ اگر نباشد ۴۰۴.',
  'Pictures of a prompt.': 'تصویر از روی متن.',
  'Always base64, whatever the vendor gives. Sizes and formats of a model stand in its `capabilities`; size and quality change the price, and what has none is refused.':
    'همیشه base64، سازنده هر چه بدهد. اندازه‌ها و قالب‌های هر مدل در `capabilities` آن است؛ اندازه و کیفیت قیمت را عوض می‌کند و آن‌چه قیمت ندارد رد می‌شود.',
  'What is said in a recording.': 'آن‌چه در یک فایل صدا گفته شده.',
  "Charged by the length that the vendor counted, or by the tokens it counted where the model is sold by tokens. Before the vendor is asked, as much is set aside as the file's own head tells. Subtitles are made also where the vendor gives only the times of words.":
    'هزینه به اندازهٔ طولی است که سازنده شمرده، یا توکن‌هایش اگر مدل با توکن فروخته می‌شود. پیش از پرسیدن از سازنده، به اندازه‌ای که خود فایل می‌گوید کنار گذاشته می‌شود. زیرنویس جایی هم که سازنده تنها زمان واژه‌ها را بدهد ساخته می‌شود.',
  'What is said in a recording, in English.': 'آن‌چه در یک فایل صدا گفته شده، به انگلیسی.',
  "Charged by the length that the vendor counted, or by the tokens it counted where the model is sold by tokens. Before the vendor is asked, as much is set aside as the file's own head tells. Models that can tell it in `capabilities.translation`.":
    'هزینه به اندازهٔ طولی است که سازنده شمرده، یا توکن‌هایش اگر مدل با توکن فروخته می‌شود. پیش از پرسیدن از سازنده، به اندازه‌ای که خود فایل می‌گوید کنار گذاشته می‌شود. مدل‌هایی که می‌توانند در `capabilities.translation` می‌گویند.',
  'A text, spoken.': 'متنی که گفته می‌شود.',
  'The audio comes as it is made, without a length. Charged by the characters of `input` (code points), which `X-Cost-Usd` tells in front, or by tokens where a model is sold so. Voices and formats of a model stand in its `capabilities`; the first of its formats is given where MP3 is none of them. A voice that breaks off ends with the connection, never in order: what was sent is charged by the rules of a stream that is cut.':
    'صدا همان‌طور که ساخته می‌شود می‌رسد، بی آن‌که طولش گفته شود. هزینه به اندازهٔ نویسه‌های `input` است (code point) که `X-Cost-Usd` از پیش می‌گوید، یا به توکن اگر مدل چنین فروخته می‌شود. صداها و قالب‌های هر مدل در `capabilities` آن است؛ اگر MP3 در میانشان نباشد نخستین قالب داده می‌شود. صدایی که قطع شود با بسته شدن اتصال تمام می‌شود و نه عادی؛ آن‌چه فرستاده شده مثل پاسخ جاری قطع‌شده حساب می‌شود.',
  'A piece of music.': 'یک قطعهٔ موسیقی.',
  'One whole piece at once, which may take a minute; charged by the piece. For songs the words that are sung go into the prompt.':
    'یک قطعهٔ کامل یک‌جا، که شاید یک دقیقه طول بکشد؛ هزینه به ازای قطعه است. برای ترانه، متن آن را در `prompt` بگذارید.',
  'A video of a prompt: answers at once with a job.':
    'ویدئو از روی متن: بی‌درنگ یک کار پاسخ داده می‌شود.',
  'The cost is charged when the job is accepted, and returned when the video is not made. Ask for the job every 10 to 20 seconds until it is completed. JSON, or a form (multipart/form-data), in which `input_reference` may be a file.':
    'هزینه هنگام پذیرش کار برداشته می‌شود و اگر ویدئو ساخته نشود برمی‌گردد. هر ۱۰ تا ۲۰ ثانیه وضعیت کار را بپرسید تا تمام شود. JSON، یا فرم (multipart/form-data) که در آن `input_reference` می‌تواند فایل باشد.',
  'The jobs of the project, newest first.': 'کارهای پروژه، تازه‌ترین اول.',
  'A page of jobs.': 'یک صفحه از کارها.',
  'How far a job is.': 'پیشرفت یک کار.',
  'The job.': 'کار.',
  'Cancels a job that is not made yet, with its cost returned, or deletes it.':
    'کاری را که هنوز ساخته نشده لغو می‌کند و هزینه‌اش را برمی‌گرداند، یا آن را پاک می‌کند.',
  'It is gone.': 'پاک شد.',
  'The file of a completed job, for about 48 hours after it was ordered.':
    'فایل کار تمام‌شده، تا حدود ۴۸ ساعت پس از سفارش.',
  '`Range` is answered with 206. Nothing of it is stored: it comes from the vendor.':
    'به `Range` با ۲۰۶ پاسخ داده می‌شود. چیزی از فایل نگه داشته نمی‌شود: از سازنده می‌آید.',
  'The file, in the type that its vendor tells.': 'فایل، با نوعی که سازنده می‌گوید.',
  'How many tokens a prompt of the Messages format has.': 'یک پرسش در قالب Messages چند توکن دارد.',
  'Estimated by us unless the operator lets vendors count. Costs nothing.':
    'برآورد خود سرویس است، مگر این‌که گرداننده شمارش را به سازندگان سپرده باشد. هزینه ندارد.',
  'The count.': 'شمار توکن‌ها.',
  'A spoken conversation over a WebSocket.': 'گفت‌وگوی صوتی روی WebSocket.',
  "The reference's realtime channel in its released form. Events pass as they are in both directions; `session.model`, `tracing`, `prompt` and tools that the vendor would run are taken out.":
    'کانال بی‌درنگ (realtime) مرجع به شکل نهایی آن. رویدادها در هر دو سو همان‌طور که هستند می‌گذرند؛ `session.model`، `tracing`، `prompt` و ابزارهایی که سازنده اجرا می‌کند برداشته می‌شوند.',
  'The key comes in `Authorization` or `X-API-Key`, or in a sub-protocol `openai-insecure-api-key.KEY` beside `realtime` for clients that cannot send headers. Refusals come before the socket as ordinary answers; with the key in a sub-protocol as an `error` event and a close code of 4000 and the status (4401, 4402, 4403, 4404, 4429).':
    'کلید در `Authorization` یا `X-API-Key` می‌آید، یا برای برنامه‌هایی که سربرگ نمی‌فرستند در زیرپروتکل `openai-insecure-api-key.KEY` کنار `realtime`. خطاها پیش از باز شدن سوکت به شکل پاسخ عادی می‌آیند؛ اگر کلید در زیرپروتکل باشد به شکل رویداد `error` و بستن با کد ۴۰۰۰ به‌اضافهٔ وضعیت (4401، 4402، 4403، 4404، 4429).',
  "Each answer is charged when it is done. When the key may not go on, an `error` event says why and the socket is closed; 1009 stands for an event above `max_request_kb`, 1011 for a vendor that is gone, 1012 for a gateway that stops. Each `response.create` is one of the key's requests per minute: an event that is refused alone gets its `error`, and the conversation goes on.":
    'هزینهٔ هر پاسخ در پایان آن برداشته می‌شود. وقتی کلید نتواند ادامه دهد رویداد `error` دلیلش را می‌گوید و سوکت بسته می‌شود؛ 1009 یعنی رویدادی بزرگ‌تر از `max_request_kb`، 1011 یعنی سازنده قطع شده و 1012 یعنی سرویس در حال توقف است. هر `response.create` یکی از درخواست‌های دقیقهٔ کلید است: رویدادی که رد شود `error` خود را می‌گیرد و گفت‌وگو ادامه دارد.',
  'The socket.': 'سوکت.',
  'With `X-Dry-Run`, what would be held.': 'با `X-Dry-Run`، مبلغی که کنار گذاشته می‌شد.',
  'Balance and limits of the calling key.': 'موجودی و سقف‌های همین کلید.',
  'The one request that a suspended account is answered too: `status` says so. `caps` are what may be spent, and what is left of it.':
    'تنها درخواستی که به حساب معلق هم پاسخ می‌دهد: `status` آن را می‌گوید. `caps` سقف خرج و باقی‌ماندهٔ آن است.',
  'The account, its project and the key.': 'حساب، پروژه و کلید.',
  'What the project used, by day or by model.': 'مصرف پروژه، به تفکیک روز یا مدل.',
  'Days are of UTC, both included; at most 366 of them, 30 unless told.':
    'روزها به وقت UTC و هر دو سر با هم‌اند؛ حداکثر ۳۶۶ روز، و اگر نگویید ۳۰ روز.',
  'The sums.': 'جمع‌ها.',
  'How one call ended, with the receipt of its charge.': 'پایان یک درخواست، با رسید هزینهٔ آن.',
  'The record: what it used and cost, never what was said.':
    'سابقه: مصرف و هزینه، و هیچ‌وقت آن‌چه گفته شد.',
  'Whether the process is alive.': 'آیا برنامه زنده است.',
  'It is.': 'هست.',
  'Whether new calls are taken.': 'آیا درخواست تازه پذیرفته می‌شود.',
  'They are.': 'پذیرفته می‌شود.',
  'It is stopping, cannot write down what calls cost, or has not heard of its database for long.':
    'در حال توقف است، نمی‌تواند هزینهٔ درخواست‌ها را ثبت کند، یا دیری است که از پایگاه داده‌اش خبری ندارد.',
  'This interface as an OpenAPI 3.1 document.': 'همین رابط به شکل سند OpenAPI 3.1.',
  'The document.': 'سند.',
  'The same as a page for people.': 'همان به شکل صفحه‌ای برای خواندن.',
  'The page: no script, nothing from elsewhere.': 'صفحه: بی اسکریپت و بی چیزی از جای دیگر.',
  'Name of this request; `GET /v1/requests/{id}` tells how it ended.':
    'نام این درخواست؛ `GET /v1/requests/{id}` پایان آن را می‌گوید.',
  'Requests per minute of the key.': 'درخواست در دقیقه برای کلید.',
  'What is left of the current minute.': 'باقی‌ماندهٔ دقیقهٔ جاری.',
  'The code of the balance or cap at which a whole answer ended, as at a ceiling; absent where it ended by itself.':
    'کد موجودی یا سقفی که پاسخ کامل در آن پایان یافت، مثل رسیدن به حد توکن؛ اگر پاسخ خودش تمام شده باشد نیست.',
  'Members of the request that no published format has, and that were left out since the request was translated.':
    'فیلدهایی از درخواست که در هیچ قالب منتشرشده‌ای نیست و چون درخواست ترجمه شد کنار گذاشته شدند.',
  'The model that answered, where several might: fallbacks, `models` of the request, or a name of several.':
    'مدلی که پاسخ داد، جایی که چند مدل ممکن بود: جایگزین‌ها، `models` درخواست، یا نام مشترک چند مدل.',
  'What was charged, in dollars; of a stream the usage event tells it.':
    'مبلغ برداشته‌شده به دلار؛ برای پاسخ جاری در رویداد مصرف می‌آید.',
  'Whole seconds to wait.': 'ثانیه‌هایی که باید صبر کرد.',
}
