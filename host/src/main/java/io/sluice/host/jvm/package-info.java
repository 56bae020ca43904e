/** Access to the MBeans of other JVMs. */
@NullMarked
package io.sluice.host.jvm;

import org.jspecify.annotations.NullMarked;
