CREATE TABLE "active_days" (
	"day" bigint PRIMARY KEY NOT NULL,
	"calls" bigint NOT NULL,
	"accounts" text COLLATE "C" NOT NULL
)
--> statement-breakpoint
CREATE TABLE "usage_zone_key_days" (
	"project" bigint NOT NULL,
	"key" bigint NOT NULL,
	"day" bigint NOT NULL,
	"requests" bigint NOT NULL,
	"errors" bigint NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"cached_tokens" bigint NOT NULL,
	"cost" bigint NOT NULL,
	PRIMARY KEY("project", "key", "day")
)
--> statement-breakpoint
CREATE TABLE "usage_zone_model_days" (
	"project" bigint NOT NULL,
	"day" bigint NOT NULL,
	"model" text COLLATE "C" NOT NULL,
	"requests" bigint NOT NULL,
	"errors" bigint NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"cached_tokens" bigint NOT NULL,
	"cost" bigint NOT NULL,
	PRIMARY KEY("project", "day", "model")
)
--> statement-breakpoint
CREATE INDEX "card_payments_state" ON "card_payments" ("state","id")
--> statement-breakpoint
CREATE INDEX "profit_account_months_charged" ON "profit_account_months" ("month","charged")
--> statement-breakpoint
CREATE INDEX "profit_account_months_margin" ON "profit_account_months" ("month",("charged" - "refunded" - "vendor_cost"))
--> statement-breakpoint
CREATE INDEX "transfers_topups" ON "transfers" ("created","amount") WHERE "kind" = 'topup'
--> statement-breakpoint
-- Days of before, all at once: nobody adds to them until this is over.
INSERT INTO "usage_zone_model_days" ("project", "day", "model", "requests", "errors", "input_tokens", "output_tokens", "cached_tokens", "cost")
	SELECT "project", "day", "model", sum("requests"), sum("errors"), sum("input_tokens"), sum("output_tokens"), sum("cached_tokens"), sum("cost")
	FROM "usage_zone_days" GROUP BY "project", "day", "model"
--> statement-breakpoint
INSERT INTO "usage_zone_key_days" ("project", "key", "day", "requests", "errors", "input_tokens", "output_tokens", "cached_tokens", "cost")
	SELECT "project", "key", "day", sum("requests"), sum("errors"), sum("input_tokens"), sum("output_tokens"), sum("cached_tokens"), sum("cost")
	FROM "usage_zone_days" GROUP BY "project", "key", "day"
