/** Sluice as a container for Testcontainers. */
@NullMarked
package io.sluice.testcontainers;

import org.jspecify.annotations.NullMarked;
