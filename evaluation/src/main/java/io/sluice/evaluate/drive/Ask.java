package io.sluice.evaluate.drive;

import io.sluice.load.RequestFailure;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request that is not sent yet.
 *
 * @param of its class
 * @param sending sends it. The stage has null if the answer is right, else why not; an error of the
 *     driver fails the stage
 */
public record Ask(RequestClass of, Supplier<CompletionStage<@Nullable RequestFailure>> sending) {}
