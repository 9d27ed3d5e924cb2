#pragma once

}  // namespace spca
