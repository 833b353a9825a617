// The simulator of an aggregator in a separate process. Its argument is JSON: dialect, opening;
// gameID and betLevels of the game, all amounts in micros.
import { aggregatorOf, startSimulator } from '@roundhouse/aggregators';

const { dialect, opening, gameID, currency, betLevels } = JSON.parse(process.argv[2]);
const { aggregator } = aggregatorOf(dialect);
const { url, settings, world } = await startSimulator({ aggregator, opening });
// Some aggregators name a bet by its place among those that the studio has told them.
const unit = 10n ** BigInt(aggregator.scale(currency));
world.memory.set(
  `bet levels of ${gameID}`,
  betLevels.map((micros) => (BigInt(micros) * unit) / 1_000_000n),
);
// It ends with the test.
process.once('disconnect', () => process.exit());
process.send({ url, settings, hasFreeRounds: aggregator.giveFreeRounds !== undefined });
