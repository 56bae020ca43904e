package io.sluice.evaluate.drive;

import io.sluice.load.RequestFailure;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request, not yet sent.
 *
 * @param of its class
 * @param sending sends it. The stage completes with null if the answer is right, else with the
 *     reason; an error of the driver fails the stage
 */
public record Ask(RequestClass of, Supplier<CompletionStage<@Nullable RequestFailure>> sending) {}
