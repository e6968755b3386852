CREATE TABLE "operator_days" (
	"operator" text COLLATE "C" NOT NULL,
	"day" bigint NOT NULL,
	"granted" bigint NOT NULL,
	"verifications" bigint NOT NULL,
	"allowance" bigint NOT NULL,
	PRIMARY KEY("operator", "day")
)
--> statement-breakpoint
ALTER TABLE "operator_links" ADD COLUMN "by" text COLLATE "C"
