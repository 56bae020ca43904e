/** The management beans of other JVMs. */
@NullMarked
package io.sluice.host.jvm;

import org.jspecify.annotations.NullMarked;
